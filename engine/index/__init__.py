"""Holds the index: a view of the crawl database that can be deleted and rebuilt at any time.

follow -> writer -> generations: changes become documents, documents a generation.
parse -> query -> reader -> evaluate -> scoring -> snippet: what was typed becomes hits.
"""
