"""Filters hits by labels of sites; no page is indexed anew when they change.

They are in crawl.toml as [[label]], and in a file of the data folder, which the operator's pages edit:

labels.tsv   label TAB site [TAB more of them]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.config import Table
from engine.errors import EngineError
from engine.index.query import KeyRange, Query, match_keys, parse_site

LABELS_FILE = "labels.tsv"
MAX_NAME = 60  # characters of a label: a line of a menu on a telephone
MAX_LABELS = 50  # each is looked up among the hits of every question
_JOINERS = "\u200c\u200d"  # spelling, though nothing is to be seen of them

Labels = Mapping[str, Sequence[Query]]
"""By each label what its pages match, any of it."""
LabelLine = tuple[str, Sequence[Query]]


@dataclass(frozen=True, slots=True, eq=False)
class CurrentLabels:
    """The labels of a moment; answers are remembered by which they are, so they are not compared."""

    queries: Labels


def read_labels(tables: Sequence[Table]) -> Labels:
    """Reads the tables [[label]] into labels: of all pages that `site:` finds with one of `sites`.

    A page may have several. Raises EngineError for what is no label and no site.
    """
    labels = dict[str, Sequence[Query]]()
    for table in tables:
        table.check_keys("name", "sites", "audience")
        name = _read_name(table)
        if name in labels:
            raise EngineError(f"{table.where('name')}: {name!r} is in an earlier [[label]]; write it once")
        labels[name] = _read_sites(table)
    if len(labels) > MAX_LABELS:
        raise EngineError(f"{tables[MAX_LABELS].where('name')}: write {MAX_LABELS} [[label]] at most")
    return labels


def parse_label(line: str) -> LabelLine:
    """Parses a line of the file. Raises ValueError with what to write."""
    name, *sites = line.split("\t")
    name = " ".join(name.split())
    if not _is_name(name) or not sites:
        raise ValueError(f"a label of 1 to {MAX_NAME} letters, a tab, and its sites with tabs between")
    keys = [parse_site(site.strip()) for site in sites]
    if not all(keys):
        raise ValueError("sites with tabs between: docs.example.org, www.example.org/docs")
    return name, tuple(match_keys(one) for site in keys for one in site)


def add_labels(labels: Labels, lines: Sequence[LabelLine]) -> CurrentLabels:
    """Adds the lines of the file to the labels of crawl.toml, MAX_LABELS together; a name may be in both."""
    found = dict(labels)
    for name, queries in lines:
        if name in found or len(found) < MAX_LABELS:
            found[name] = (*found.get(name, ()), *queries)
    return CurrentLabels(found)


def _read_name(table: Table) -> str:
    name = " ".join(table.text("name").split())
    if not _is_name(name):
        raise EngineError(
            f'{table.where("name")}: a label has 1 to {MAX_NAME} letters; write, for example, "Manuals"'
        )
    return name


def _is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and all(one.isprintable() or one in _JOINERS for one in name)


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
