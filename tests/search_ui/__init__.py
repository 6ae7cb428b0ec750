"""The search page, over real connections to a real server on loopback."""
