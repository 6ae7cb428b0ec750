"""What documents score: BM25F, conjunctions, disjunctions, phrases, proximity, exact forms."""
