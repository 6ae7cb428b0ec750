"""Numbers the pages that a request meets, as a cluster has no numbers of documents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_searching.asking import FoundPage
from engine.index.reader import Documents
from engine.url import authority_of


class KnownPages:
    """The pages met so far, numbered from 0, of which some were found by a part of the words."""

    def __init__(self, index: str) -> None:
        self._index, self._pages = index, list[FoundPage]()
        self._numbers, self._partial = dict[str, int](), set[int]()

    def __getitem__(self, document: int) -> FoundPage:
        """Returns the page of a number."""
        return self._pages[document]

    def number(self, pages: Sequence[FoundPage]) -> Documents:
        """Numbers pages; those that are known have their numbers."""
        for page in pages:
            if page.url not in self._numbers:
                self._numbers[page.url] = len(self._pages)
                self._pages.append(page)
        return self.look_up([page.url for page in pages])

    def number_partial(self, pages: Sequence[FoundPage]) -> None:
        """Numbers pages that have some of the words, and maybe all."""
        self._partial.update(self.number(pages).tolist())

    def look_up(self, urls: Sequence[str]) -> Documents:
        """Looks up the numbers of known pages."""
        return np.array([self._numbers[url] for url in urls], np.int32)

    def select_partial(self, documents: Documents) -> list[int]:
        """Selects those of the documents that have some of the words, and maybe all."""
        return [document for document in documents.tolist() if document in self._partial]

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the page: any change of its document gives it another."""
        page = self._pages[document]
        return f"{self._index} {page.url}", page.version

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents, from 0, the same for http and https."""
        numbers = dict[str, int]()
        hosts = [authority_of(self._pages[document].url) for document in documents.tolist()]
        return np.array([numbers.setdefault(host, len(numbers)) for host in hosts], np.int64)
