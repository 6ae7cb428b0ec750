"""Generations in a cluster: aliases say which is which, and every step is whole or was not."""

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from threading import Event, Thread
from typing import Any

import pytest

from engine import generations
from engine.errors import DamagedError, EngineError
from engine.generations.cluster.generation import ClusterGeneration
from engine.generations.cluster.notes import IndexNotes
from engine.generations.cluster.storage import ClusterStorage
from engine.index.cluster_form.creating import IndexLayout
from engine.index.indexing.follow import Follower
from engine.index.indexing.opening import create_index, open_writer
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.opening import drop_graph, has_graph
from engine.opensearch import transport
from engine.opensearch.client import share_client
from engine.opensearch.cluster_index import ClusterIndex
from engine.opensearch.errors import UnavailableError
from engine.opensearch.transport import ClusterTransport
from tests.engine.index.source import Memory, corpus, page

pytestmark = [pytest.mark.opensearch, pytest.mark.postgresql, pytest.mark.slow]

numbers = count(1)


@pytest.fixture
def index(opensearch_node: str, database_url: str) -> ClusterIndex:
    """An index that nobody else has, of which there is nothing yet."""
    return ClusterIndex(f"opensearch+{opensearch_node}/storage{next(numbers)}", database_url)


def create(index: ClusterIndex, kind: str = "rebuild") -> ClusterGeneration:
    """A draft with its index and its link graph."""
    draft = ClusterStorage(index).create_draft(kind)
    create_index(draft, "source")
    return draft


def names(index: ClusterIndex) -> set[str]:
    """The indexes that are there."""
    return set(share_client(index.cluster).indices.get_alias(index=f"{index.prefix}-*"))


def test_nothing_is_current_before_the_first_publish(index: ClusterIndex) -> None:
    assert generations.current_generation(index) is None
    assert generations.refused_generation(index) is None
    create(index)
    assert generations.current_generation(index) is None
    assert generations.count_behind(index, 7) == 7
    with pytest.raises(EngineError, match="no index before the current one is kept"):
        generations.go_back(index)


def test_the_one_before_is_kept_and_older_ones_are_not(index: ClusterIndex) -> None:
    made = [generations.publish(index, create(index)) for _ in range(3)]
    current = generations.current_generation(index)
    assert current == made[2]
    assert current
    assert current.before == made[1]
    assert names(index) == {made[1].name, made[2].name}
    assert not has_graph(made[0].links)
    assert has_graph(made[1].links)
    assert current.is_readable
    assert current.source == "source"
    assert not current.has_changes


def test_managing_has_more_time_than_a_search(index: ClusterIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that has much to do answers late: that ends a search, and no rebuild."""
    monkeypatch.setattr(transport, "SEARCH_SECONDS", 1e-6)
    IndexLayout(share_client(index.cluster))
    storage = ClusterStorage(index)
    first, second = (storage.publish(create(index)) for _ in range(2))
    assert storage.go_back() == first
    storage.refuse(third := create(index), ["too few"])
    assert third.load_notes().reasons == ("too few",)
    assert second.load_notes().reasons == ()
    with pytest.raises(UnavailableError):
        storage.current()


def test_back_and_on(index: ClusterIndex) -> None:
    first, second = (generations.publish(index, create(index)) for _ in range(2))
    assert generations.go_back(index) == first
    assert generations.current_generation(index) == first
    assert second.name in names(index), "who searches it has it open"
    with pytest.raises(EngineError, match="no index before"):
        generations.go_back(index)
    third = generations.publish(index, create(index))
    assert names(index) == {first.name, third.name}


def test_one_that_is_refused_is_kept_with_its_reasons(index: ClusterIndex) -> None:
    first = generations.publish(index, create(index))
    draft = create(index)
    generations.refuse(index, draft, ["too few", "too slow"])
    kept = generations.refused_generation(index)
    assert kept == draft
    assert kept
    assert kept.refusal_reasons == ["too few", "too slow"]
    assert kept.source == "source"
    assert generations.current_generation(index) == first
    generations.publish(index, kept)
    current = generations.current_generation(index)
    assert current == draft
    assert generations.refused_generation(index) is None
    generations.refuse(index, create(index), ["no"])
    generations.forget_refused(index)
    assert generations.refused_generation(index) is None
    assert names(index) == {first.name, draft.name}


def test_what_a_killed_process_left_is_cleared_away(index: ClusterIndex) -> None:
    left, other = create(index), create(index, "first")
    drop_graph(left.links)  # it was killed before it had one
    draft = create(index)
    assert names(index) == {other.name, draft.name}
    with generations.temporary_draft(index, "first"):
        assert names(index) == {draft.name}
    with suppress(ZeroDivisionError), generations.temporary_draft(index, "rebuild") as failed:
        create_index(failed, "source")
        raise ZeroDivisionError
    assert names(index) == set()


def test_what_another_lycosa_made_is_known_by_its_notes(index: ClusterIndex) -> None:
    made = generations.publish(index, create(index))
    made.write_notes(replace(IndexNotes(), form=7))
    current = generations.current_generation(index)
    assert current
    assert not current.is_readable
    assert "has format 7" in str(current.unreadable())
    client = share_client(index.cluster)
    client.indices.put_mapping(index=made.name, body={"_meta": {"lycosa": {"form": "x"}}})
    current = generations.current_generation(index)
    assert current
    assert not current.is_readable, "nor is anything else"


def test_an_index_without_its_link_graph_is_damaged(index: ClusterIndex) -> None:
    source = Memory(*corpus(10))
    Follower(source, index).catch_up()
    current = generations.current_generation(index)
    assert isinstance(current, ClusterGeneration)
    drop_graph(current.links)
    with pytest.raises(DamagedError):
        _ = current.caught_up
    assert generations.count_behind(index, 10) == 10
    Follower(source, index).catch_up()
    mended = generations.current_generation(index)
    assert mended
    assert mended != current
    assert mended.count_documents() == 10


def test_an_index_that_was_deleted_is_begun_anew(index: ClusterIndex) -> None:
    source = Memory(*corpus(10))
    follower = Follower(source, index)
    follower.catch_up()
    for name in names(index):
        share_client(index.cluster).indices.delete(index=name)
    follower.catch_up()
    current = generations.current_generation(index)
    assert current
    assert current.count_documents() == 10


def test_a_lock_is_of_all_machines_and_of_one_index(index: ClusterIndex) -> None:
    other = ClusterIndex(f"{index.cluster}x", index.database)
    taken = Event()

    def wait() -> None:
        with generations.lock(index, "write"):
            taken.set()

    lock = generations.lock
    with lock(index, "write"), lock(index, "rebuild"), lock(other, "write"):
        waiting = Thread(target=wait)
        waiting.start()
        assert not taken.wait(0.5)
    waiting.join(10)
    assert taken.is_set()


class Dies(Exception):  # noqa: N818 - says what happens
    """A process ends here."""


def fail_at(monkeypatch: pytest.MonkeyPatch, number: int) -> Callable[[], int]:
    """Has the request of this number, from 1, not be sent; returns how many were asked for."""
    asked, perform = count(1), ClusterTransport.perform_request
    seen = [0]

    def counted(self: ClusterTransport, *args: Any, **options: Any) -> Any:
        seen[0] = next(asked)
        if seen[0] >= number:
            raise Dies
        return perform(self, *args, **options)

    monkeypatch.setattr(ClusterTransport, "perform_request", counted)
    return lambda: seen[0]


Step = Callable[[ClusterIndex, Memory], object]
STEPS: list[tuple[str, Step]] = [
    ("a rebuild", lambda index, source: rebuild_index(source, index)),
    ("a rollback", lambda index, source: roll_back(source, index)),
    ("a batch", lambda index, source: Follower(source, index).catch_up()),
]


@pytest.mark.parametrize(("step", "do"), STEPS, ids=[name for name, _ in STEPS])
def test_who_dies_at_any_request_leaves_the_old_or_the_new(
    index: ClusterIndex, monkeypatch: pytest.MonkeyPatch, step: str, do: Step
) -> None:
    source = Memory(*corpus(30))
    for _ in range(2):
        rebuild_index(source, index)
    source.put(page("http://new.example/", "amber"))
    source.remove(next(iter(source._last)))
    for number in count(1):
        with monkeypatch.context() as patch, suppress(Dies):
            asked = fail_at(patch, number)
            do(index, source)
        current = generations.current_generation(index)
        assert current, f"{step}, at {number}"
        assert current.is_readable
        assert current.count_documents() >= 29
        assert has_graph(current.links)
        if asked() < number:
            break
    assert number > 2
    Follower(source, index).catch_up()
    current = generations.current_generation(index)
    assert current
    with closing(open_writer(current)) as writer:
        assert writer.count_documents() == writer.graph.count_pages() == 30


def test_the_schema_of_an_index_has_its_name(index: ClusterIndex) -> None:
    draft = create(index)
    assert draft.links == GraphSchema(index.database, draft.name.replace("-", "_"))


def test_what_a_node_has_done_before_it_died_is_done(
    index: ClusterIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks the next node, hears that the index is there, or that an alias is not."""
    perform = ClusterTransport.perform_request

    def twice(self: ClusterTransport, method: str, url: str, *args: Any, **options: Any) -> Any:
        if method == "PUT" or url == "/_aliases":
            perform(self, method, url, *args, **options)
        return perform(self, method, url, *args, **options)

    monkeypatch.setattr(ClusterTransport, "perform_request", twice)
    first, second = (generations.publish(index, create(index)) for _ in range(2))
    assert generations.go_back(index) == first
    assert generations.current_generation(index) == first
    assert names(index) == {first.name, second.name}
