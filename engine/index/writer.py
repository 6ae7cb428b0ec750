"""Changes into one generation: link graph and templates first, then documents by what these say of them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from whoosh import index as whoosh_index

from engine.index.generations import Generation
from engine.index.schema import document, page_of, schema
from engine.index.template import blocks
from engine.page import Change
from engine.store.clusters import Clusters
from engine.store.links import LinkGraph
from engine.store.templates import Templates
from engine.url import host_of

MAX_TEMPLATES = 256  # remembered during a commit; each has some hundred blocks, 2,600 at most: 40 MB


def create(generation: Generation) -> None:
    """Make the empty index of a new generation."""
    whoosh_index.create_in(str(generation.path), schema())
    LinkGraph(generation.links).close()


class Writer:
    """One generation, open for writing; the caller holds the lock that makes it the only one.

    Documents are replaced by URL, so writing the same changes again does no harm.
    """

    def __init__(self, generation: Generation) -> None:
        self.graph = LinkGraph(generation.links)
        self.templates = Templates(generation.links)
        # With the schema of now: what an older Lycosa wrote gets the fields that it lacks, empty.
        self._index: Any = whoosh_index.open_dir(str(generation.path), schema=schema())
        self._clusters = Clusters(generation.links)

    def close(self) -> None:
        """Give the files back."""
        self.templates.close()
        self.graph.close()
        self._clusters.close()
        self._index.close()

    def link(self, changes: Sequence[Change]) -> None:
        """Bring the link graph, the templates and the clusters up to these changes."""
        self.graph.replace([(change.url, change.page.links if change.page else None) for change in changes])
        self.graph.stand([(change.url, change.stands) for change in changes])
        self.templates.replace(
            (change.url, blocks(change.page).values() if change.page else None) for change in changes
        )
        self._clusters.learn([(change.url, change.copy_of) for change in changes])

    def stale(self, limit: int) -> list[Change]:
        """Documents to index again because the words of their inlinks or a template changed, as stored."""
        urls = self.graph.stale(limit)
        if not urls:
            return []
        with self._index.searcher() as searcher:
            stored = [(url, searcher.document(url=url)) for url in urls]
        self.graph.settle([url for url, fields in stored if fields is None])
        return [_unchanged(fields) for _, fields in stored if fields is not None]

    def write(self, changes: Sequence[Change]) -> None:
        """Replace, add and delete the documents of these changes in one commit."""
        urls = [change.url for change in changes]
        anchors = self.graph.anchors(urls)
        template = lru_cache(MAX_TEMPLATES)(self.templates.of)
        with self._index.writer() as writer:
            for change in changes:
                writer.delete_by_term("url", change.url)
                if change.page:
                    said = anchors.get(change.url, ())
                    of_host = template(host_of(change.url))
                    writer.add_document(**document(change.page, change.fetched_at, said, of_host))
        self.graph.settle(urls)

    def documents(self) -> int:
        """How many documents the committed index holds."""
        count: int = self._index.doc_count()
        return count


def _unchanged(stored: dict[str, Any]) -> Change:
    return Change(0, stored["url"], page_of(stored), stored["fetched_at"])
