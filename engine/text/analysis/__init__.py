"""Which terms a text has: tokens, folded letters, stems, variants, and where they stand."""
