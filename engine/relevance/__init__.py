"""How well the ranking finds: judged collections, the index's answers to their queries, measures."""
