"""Commands of Scrapy that go past the gates: each refuses, and names the command that does its work."""
