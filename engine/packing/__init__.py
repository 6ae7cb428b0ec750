"""How values become bytes: pages, texts and links in compressed columns."""
