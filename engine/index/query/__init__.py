"""What a person asks for: lexer, parser, query tree."""
