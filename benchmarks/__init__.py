"""Measures Lycosa beside its peers: `python -m benchmarks crawl|index|query|relevance|robots|frontier|hosts`.

Figures go to standard output, one JSON object a line (`benchmarks.instruments.row`); what is under
way goes to standard error. Nothing is contacted but loopback, and nothing is left behind but what
was fetched once into build/sites.

What benchmarks.peers.contest says of the contestants of `index` and `query`, and benchmarks.query of
their figures, belongs to those figures. Both take `--generated N` in place of sites, a million documents
if need be. Where the time goes, say `python -m benchmarks.one DATA_DIR` for one batch of a crawl's
pages, and `python -m benchmarks.one DATA_DIR WORDS` for one query.
"""
