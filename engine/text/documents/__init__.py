"""What a response's body is, and what it says: HTML, PDF, DOCX or plain text -> Page."""
