"""Defines the peers; each uses its library as that library's manual shows."""
