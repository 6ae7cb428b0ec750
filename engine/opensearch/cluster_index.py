"""Names where an index is that a cluster keeps."""

from dataclasses import dataclass

from engine.opensearch.location import parse_location


@dataclass(frozen=True, slots=True)
class ClusterIndex:
    """An index of a cluster: its location (parse_location), and the postgresql:// URL of the database that
    has its link graphs.
    """

    cluster: str
    database: str

    def __str__(self) -> str:
        """Names it in messages."""
        return self.cluster

    @property
    def prefix(self) -> str:
        """What the names of its indexes begin with."""
        return parse_location(self.cluster).prefix
