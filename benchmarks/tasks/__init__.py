"""Runs twelve search tasks in a browser, with Lycosa and with its peers."""
