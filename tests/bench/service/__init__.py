"""What a call costs around the skills: metering, handlers, imports."""
