"""The webs that tests crawl, all on loopback: a friendly one to find things in, scripted ones for the odd."""
