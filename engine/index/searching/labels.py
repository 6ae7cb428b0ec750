"""Filters hits by labels of sites from crawl.toml; no page is indexed anew when they change."""

from collections.abc import Iterable, Mapping, Sequence

from engine.config import Table
from engine.errors import EngineError
from engine.index.query import KeyRange, Query, match_keys, parse_site

MAX_NAME = 60  # characters of a label: a line of a menu on a telephone
MAX_LABELS = 50  # each is looked up among the hits of every question
_JOINERS = "\u200c\u200d"  # spelling, though nothing is to be seen of them

Labels = Mapping[str, Sequence[Query]]
"""By each label what its pages match, any of it."""


def read_labels(tables: Sequence[Table]) -> Labels:
    """Reads the tables [[label]] into labels: of all pages that `site:` finds with one of `sites`.

    A page may have several. Raises EngineError for what is no label and no site.
    """
    labels = dict[str, Sequence[Query]]()
    for table in tables:
        table.check_keys("name", "sites")
        name = _read_name(table)
        if name in labels:
            raise EngineError(f"{table.where('name')}: {name!r} is in an earlier [[label]]; write it once")
        labels[name] = _read_sites(table)
    if len(labels) > MAX_LABELS:
        raise EngineError(f"{tables[MAX_LABELS].where('name')}: write {MAX_LABELS} [[label]] at most")
    return labels


def _read_name(table: Table) -> str:
    name = " ".join(table.text("name").split())
    if not 0 < len(name) <= MAX_NAME or not all(one.isprintable() or one in _JOINERS for one in name):
        raise EngineError(
            f'{table.where("name")}: a label has 1 to {MAX_NAME} letters; write, for example, "Manuals"'
        )
    return name


def _read_sites(table: Table) -> Sequence[Query]:
    sites: Iterable[Sequence[KeyRange]] = table.parsed("sites", _parse_site, "www.example.org/docs")
    found = tuple(match_keys(keys) for site in sites for keys in site)
    if not found:
        raise EngineError(f'{table.where("sites")}: a [[label]] needs sites = ["docs.example.org"]')
    return found


def _parse_site(text: str) -> Sequence[KeyRange]:
    if not (keys := parse_site(text)):
        raise ValueError("no host, and no address that others begin with")
    return keys
