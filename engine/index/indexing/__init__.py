"""How changes of the crawl database become documents, segments and generations: the write path."""
