"""What a call costs around the skills: metering and handlers."""
