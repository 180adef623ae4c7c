"""The skills that write and read Pix codes."""
