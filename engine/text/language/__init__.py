"""Which language a text is in: declared, or detected by script, stop words and letters."""
