"""The institutions that take part in Pix, as the central bank lists them."""
