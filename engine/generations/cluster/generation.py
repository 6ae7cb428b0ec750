"""Defines a generation that is an index of a cluster, with a link graph in a database."""

from dataclasses import dataclass, field, replace

from engine.errors import EngineError
from engine.generations.cluster.notes import IndexNotes, read_notes, write_notes
from engine.generations.generation import FORM, describe_other_form
from engine.linkgraph import GraphSchema, load_commit_time, load_index_position
from engine.opensearch import ClusterIndex, share_client

MANAGE_SECONDS = 60.0  # for what waits for all nodes


@dataclass(frozen=True, slots=True)
class ClusterGeneration:
    """One index of a cluster. Methods raise ClusterError, and Unreadable where the database is away."""

    index: ClusterIndex
    name: str
    alias: str = field(default="", compare=False)  # of a draft, from the moment that it is there
    notes: IndexNotes = field(default=IndexNotes(), compare=False)
    before: "ClusterGeneration | None" = field(default=None, compare=False)

    @property
    def where(self) -> str:
        """Where it is, for messages."""
        return f"{self.index.cluster} ({self.name})"

    @property
    def links(self) -> GraphSchema:
        """The schema of its link graph."""
        return GraphSchema(self.index.database, self.name.replace("-", "_"))

    @property
    def caught_up(self) -> int:
        """The last change that is in it. Raises DamagedError without a link graph."""
        return load_index_position(self.links).change

    @property
    def caught_up_at(self) -> float:
        """When that was committed, by the database's clock."""
        return load_commit_time(self.links)

    @property
    def has_changes(self) -> bool:
        """Whether anything was committed to it."""
        return load_index_position(self.links).commit > 0

    @property
    def source(self) -> str:
        """Which crawl database it follows."""
        return self.notes.source

    @property
    def audiences(self) -> str:
        """The rules by which pages are hidden in it: there are none in a cluster."""
        return ""

    @property
    def is_readable(self) -> bool:
        """Whether this Lycosa finds in it what it looks for."""
        return self.notes.form == FORM

    @property
    def refusal_reasons(self) -> list[str]:
        """Why its gates refused it."""
        return list(self.notes.reasons)

    @property
    def nbytes(self) -> int:
        """What its shards and their copies take, in bytes; nothing of its link graph."""
        answer = share_client(self.index.cluster).indices.stats(index=self.name, metric="store")
        return int(answer["_all"]["total"]["store"]["size_in_bytes"])

    def unreadable(self) -> EngineError:
        """Returns the error to raise where it is not readable."""
        return describe_other_form(self.where, self.notes.form)

    def note_source(self, identity: str) -> None:
        """Notes which crawl database it follows."""
        self.write_notes(replace(self.notes, source=identity))

    def load_notes(self) -> IndexNotes:
        """Loads what it says of itself now. Raises IndexMissing where it is gone."""
        client = share_client(self.index.cluster)
        only_meta = {"filter_path": "*.mappings._meta"}
        told = client.indices.get_mapping(index=self.name, params=only_meta, request_timeout=MANAGE_SECONDS)
        return read_notes(told.get(self.name, {}).get("mappings", {}).get("_meta"))

    def write_notes(self, notes: IndexNotes) -> None:
        """Writes what it says of itself; this object stays as it is."""
        body = {"_meta": write_notes(notes)}
        client = share_client(self.index.cluster)
        client.indices.put_mapping(index=self.name, body=body, request_timeout=MANAGE_SECONDS)

    def count_documents(self) -> int:
        """Counts the documents that can be found in it."""
        return int(share_client(self.index.cluster).count(index=self.name)["count"])
