"""The list of Pix participants, made of the file that the central bank publishes."""
