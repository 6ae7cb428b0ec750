"""Reads text: charset, documents, language, terms, duplicates, secrets."""
