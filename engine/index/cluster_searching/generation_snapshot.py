"""Opens one moment of a generation in a cluster for searching."""

from dataclasses import replace

from engine.generations import ClusterGeneration, Generation
from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.reader import IndexCache
from engine.linkgraph import load_commit_time, load_index_position
from engine.opensearch import share_client
from engine.ranking import Ranking

SILENT_SECONDS = 2.0  # for which a database is waited for; then the page says 503


class GenerationSnapshot(ClusterSnapshot):
    """One moment of a generation: a commit of its follower ends it, and the next generation.

    Opening raises EngineError for an index that this Lycosa cannot read, ClusterError and Unreadable where a
    server is away, DamagedError without its link graph.
    """

    def __init__(self, generation: ClusterGeneration, cache: IndexCache, ranking: Ranking) -> None:
        if not generation.is_readable:
            raise generation.unreadable()
        self._generation = generation
        self._schema = replace(generation.links, silent_seconds=SILENT_SECONDS)
        # Before the moment: what is committed between the two is opened once more.
        self._reached, self._reached_at = load_index_position(self._schema), load_commit_time(self._schema)
        client = share_client(generation.index.cluster)
        super().__init__(client, generation.name, self._schema, ranking, cache)

    @property
    def caught_up_at(self) -> float:
        """When the index last took up what was crawled, by the database's clock."""
        return self._reached_at

    def is_current(self, generation: Generation) -> bool:
        """Tells whether nothing was committed or published since; a question to the database."""
        if generation != self._generation or not super().is_current(generation):
            return False
        return load_index_position(self._schema) == self._reached
