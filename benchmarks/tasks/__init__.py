"""Twelve things that people want of a search page, done in a browser with Lycosa and with its peers."""
