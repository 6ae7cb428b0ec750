"""Commands of Scrapy that go past the frontier: each refuses, and names the command that does its work."""
