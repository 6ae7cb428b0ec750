"""Takes the operator's judgement of what looks like a crawler trap."""

from typing import Any

from engine.config import Config
from engine.database import write_transaction
from engine.monitor import count
from engine.removal.removal import remove
from engine.store import Judgement, Store, Suspect, judge_suspect, load_suspect, parse_target

# What each rule has seen, in the words of the list.
_MEANING = {
    "length": "links too long to be followed",
    "long": "links of more than 1,024 characters, followed all the same",
    "repeat": "links whose path repeats itself",
    "queries": "links skipped: this path has too many queries",
    "host pages": "links skipped: the host has too many pages",
    "domain hosts": "links skipped: the domain has too many hosts",
    "domain pages": "links skipped: the hosts of the domain have too many pages together",
    "domain queue": "links skipped: too many pages of the domain are queued already",
    "depth": "pages whose links are too far from a seed",
    "strange": "links that are too long, repeat themselves or have too many queries: 30 % of all and more",
    "errors": "more than 30 % of the last responses were errors",
    "readers": "pages that took too long to read or too much memory",
    "duplicates": "given up because new URLs brought only copies or errors",
    "sensitive": "links to a file that was not meant for the web, not followed: tell its owner",
    "soft 404": "pages that say 'not found' with status 200",
}


def describe_times(rule: str, times: int) -> str:
    """Describes how often a rule has seen what."""
    return f"{count(times, 'time')}: {_MEANING[rule]}"


def accept_suspect(
    store: Store, config: Config, number: int, reason: str | None, typed: str | None = None
) -> dict[str, Any]:
    """Removes what a suspect is about, or the target that is typed; returns the receipt.

    Raises EngineError for a number that is not in the list, and without a reason.
    """
    with store.engine.connect() as connection:
        suspect = load_suspect(connection, number)
    target = parse_target(typed) if typed else suspect.seen.target
    receipt = remove(store, config, target, reason, "")
    with write_transaction(store.engine) as connection:
        judge_suspect(connection, number, Judgement.ACCEPTED)
    return receipt


def dismiss_suspect(store: Store, number: int) -> Suspect:
    """Removes a suspect from the list. Raises EngineError for a number that is not in it."""
    with write_transaction(store.engine) as connection:
        suspect = load_suspect(connection, number)
        judge_suspect(connection, number, Judgement.DISMISSED)
    return suspect
