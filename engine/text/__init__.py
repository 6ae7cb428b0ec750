"""What bytes and texts say: charset, documents, language, terms, duplicates, secrets."""
