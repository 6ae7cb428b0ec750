"""Keeps generations as indexes of a cluster: an alias says which of them is current.

PREFIX                 the index that searchers open
PREFIX-before          the one that it replaced
PREFIX-draft-KIND      one being built; nobody reads it before it is published
PREFIX-refused         one that was built and did not pass its gates
PREFIX-TIME-NUMBER     the indexes themselves; one without an alias is to be deleted
"""

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, NamedTuple, cast

from engine.errors import EngineError
from engine.generations.cluster.generation import MANAGE_SECONDS, ClusterGeneration
from engine.generations.cluster.lock import lock_index
from engine.generations.cluster.notes import read_notes
from engine.generations.generation import Generation
from engine.linkgraph import drop_graph
from engine.opensearch import ClusterError, ClusterIndex, share_client

BEFORE, REFUSED, DRAFT = "-before", "-refused", "-draft-"  # behind the prefix, as aliases
AS_A_SEARCH = None  # how long people wait who ask what to search; rebuilds wait for longer
_ASKED = "*.aliases,*.mappings._meta"
_NAME = r"-\d{8}-\d{6}-[0-9a-f]{4}"


class Kept(NamedTuple):
    """One index that is there, and its aliases."""

    generation: ClusterGeneration
    aliases: frozenset[str]


class ClusterStorage:
    """The generations of an index of a cluster; the protocol is GenerationStorage.

    Methods raise ClusterError, and Unreadable where the database is away.
    """

    def __init__(self, index: ClusterIndex) -> None:
        self._index = index
        self._prefix = index.prefix

    def current(self) -> ClusterGeneration | None:
        """Finds the one to search."""
        kept = self._list(AS_A_SEARCH)
        current = _find(kept, self._prefix)
        return replace(current, before=_find(kept, self._prefix + BEFORE)) if current else None

    def refused(self) -> ClusterGeneration | None:
        """Finds the draft that was refused last."""
        return _find(self._list(AS_A_SEARCH), self._prefix + REFUSED)

    def create_draft(self, kind: str) -> ClusterGeneration:
        """Names a draft; who fills it creates it (engine.index.cluster_indexing), with its alias."""
        self.drop_draft(kind)
        name = f"{self._prefix}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(2)}"
        return ClusterGeneration(self._index, name, self._prefix + DRAFT + kind)

    def drop_draft(self, kind: str) -> None:
        """Deletes a draft."""
        self._drop(self._prefix + DRAFT + kind)

    def publish(self, complete: Generation) -> ClusterGeneration:
        """Makes a draft the current one."""
        kept, draft = self._list(), _in_cluster(complete)
        current = _find(kept, self._prefix)
        moves = [*_remove(kept, draft), _add(draft, self._prefix)]
        if current:
            older = _find(kept, self._prefix + BEFORE)
            moves += _remove(kept, older) if older else []
            moves += [*_remove(kept, current), _add(current, self._prefix + BEFORE)]
        self._move(moves)
        self._sweep()
        return replace(draft, alias=self._prefix, before=current)

    def go_back(self) -> ClusterGeneration:
        """Makes the one before the current one current again."""
        kept = self._list()
        current, before = _find(kept, self._prefix), _find(kept, self._prefix + BEFORE)
        if current is None or before is None:
            raise EngineError(
                f"no index before the current one is kept in {self._index.cluster}; 'scrapy rebuild' makes a "
                "new one"
            )
        self._move([*_remove(kept, current), *_remove(kept, before), _add(before, self._prefix)])
        return before

    def refuse(self, complete: Generation, reasons: Sequence[str]) -> None:
        """Puts a draft aside."""
        draft = _in_cluster(complete)
        [notes] = [one.generation.notes for one in self._list() if one.generation == draft]
        draft.write_notes(replace(notes, reasons=tuple(reasons)))
        self._move([*_remove(self._list(), draft), _add(draft, self._prefix + REFUSED)])

    def forget_refused(self) -> None:
        """Deletes a draft that was refused."""
        self._drop(self._prefix + REFUSED)

    def drop(self, generation: Generation) -> None:
        """Deletes one that is not current."""
        _delete(_in_cluster(generation))

    def lock(self, kind: str) -> AbstractContextManager[None]:
        """Waits until no other process, on no machine, does this kind of work."""
        return lock_index(self._index, kind)

    def _list(self, seconds: float | None = MANAGE_SECONDS) -> list[Kept]:
        """Lists the indexes that are there, by name."""
        client, pattern = share_client(self._index.cluster), re.compile(re.escape(self._prefix) + _NAME)
        told: Mapping[str, Any] = client.indices.get(
            index=f"{self._prefix}-*",
            params={"filter_path": _ASKED, "ignore_unavailable": "true", "allow_no_indices": "true"},
            request_timeout=seconds,
        )
        return [
            Kept(
                ClusterGeneration(self._index, name, notes=read_notes(one.get("mappings", {}).get("_meta"))),
                frozenset(one.get("aliases", {})),
            )
            for name, one in sorted(told.items())
            if pattern.fullmatch(name)
        ]

    def _move(self, actions: Sequence[Mapping[str, Any]]) -> None:
        """Moves aliases in one step; a node that dies before it answers may have done so."""
        client = share_client(self._index.cluster)
        try:
            client.indices.update_aliases(body={"actions": actions}, request_timeout=MANAGE_SECONDS)
        except ClusterError:
            if not _are_done(self._list(), actions):
                raise

    def _sweep(self) -> None:
        """Deletes what has no alias."""
        for one in self._list():
            if not one.aliases:
                _delete(one.generation)

    def _drop(self, alias: str) -> None:
        if found := _find(self._list(), alias):
            _delete(found)


def _find(kept: Sequence[Kept], alias: str) -> ClusterGeneration | None:
    """Finds the index of an alias, the newest where somebody gave it to several."""
    return next((one.generation for one in reversed(kept) if alias in one.aliases), None)


def _are_done(kept: Sequence[Kept], actions: Sequence[Mapping[str, Any]]) -> bool:
    """Tells whether aliases are where they were to be moved."""
    there = {(one.generation.name, alias) for one in kept for alias in one.aliases}
    added = {(one["add"]["index"], one["add"]["alias"]) for one in actions if "add" in one}
    gone = {(one["remove"]["index"], one["remove"]["alias"]) for one in actions if "remove" in one}
    return added <= there and not (gone - added) & there


def _add(generation: ClusterGeneration, alias: str) -> Mapping[str, Any]:
    return {"add": {"index": generation.name, "alias": alias}}


def _remove(kept: Sequence[Kept], generation: ClusterGeneration) -> list[Mapping[str, Any]]:
    """Makes the actions that take all its aliases from an index."""
    aliases = [alias for one in kept if one.generation == generation for alias in sorted(one.aliases)]
    return [{"remove": {"index": generation.name, "alias": alias}} for alias in aliases]


def _delete(generation: ClusterGeneration) -> None:
    """Deletes the link graph, then the index: who is killed between leaves an index, which is found again."""
    drop_graph(generation.links)
    client = share_client(generation.index.cluster)
    client.indices.delete(index=generation.name, ignore_unavailable=True, request_timeout=MANAGE_SECONDS)


def _in_cluster(complete: Generation) -> ClusterGeneration:
    """Returns a generation that this storage has created."""
    return cast(ClusterGeneration, complete)
