"""Reads no terms: what suggestions of an index in a cluster are made of as long as nothing else is."""

from collections.abc import Set

import numpy as np

from engine.index.reader import IndexCache, Reader


class NoLexicon(Reader):
    """A reader without documents, which knows the languages of an index."""

    def __init__(self, languages: Set[str], cache: IndexCache) -> None:
        super().__init__([], np.empty(0, np.float32), cache)
        self.languages = frozenset(languages)
