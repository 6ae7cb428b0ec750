"""Opens a generation for writing, wherever it is: the one place that tells folders and clusters apart."""

from typing import cast

from engine.audience import OPEN_TO_ALL, AudienceRules
from engine.errors import EngineError
from engine.generations import ClusterGeneration, FolderGeneration, Generation
from engine.index.documents import IndexWriter, load_signals
from engine.index.indexing import writer
from engine.index.reader import check_commit
from engine.ranking import Ranking
from engine.text.tokens import TermNumbering


def create_index(generation: Generation, source: str, audiences: AudienceRules = OPEN_TO_ALL) -> None:
    """Creates the empty index of a draft that is to follow this crawl database, and hides pages by rules.

    Raises EngineError for one in a cluster, where none can be hidden.
    """
    if isinstance(generation, ClusterGeneration):
        if audiences.digest:
            raise EngineError("an index in a cluster hides no pages: leave out [[audience]]")
        from engine.index.cluster_indexing import create_cluster_index

        create_cluster_index(generation, source)
    else:
        writer.create_index(_in_folder(generation))
        _in_folder(generation).note_audiences(audiences.digest)
        generation.note_source(source)


def open_writer(
    generation: Generation,
    ranking: Ranking = Ranking(),
    numbering: TermNumbering | None = None,
    audiences: AudienceRules = OPEN_TO_ALL,
) -> IndexWriter:
    """Opens a generation; documents are added by the audience rules by which it was created, or not at all.

    Raises DamagedError where an older table of contents was put back.
    """
    if isinstance(generation, ClusterGeneration):
        from engine.index.cluster_indexing import ClusterIndexWriter

        return ClusterIndexWriter(generation, ranking, numbering)
    folder = _in_folder(generation)
    check_commit(folder)
    signals = load_signals(ranking.signals)
    return writer.Writer(folder, numbering, ranking.pivots, audiences, signals)


def _in_folder(generation: Generation) -> FolderGeneration:
    """Returns a generation that is no other kind's."""
    return cast(FolderGeneration, generation)
