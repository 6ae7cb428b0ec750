"""Filters and sort orders beside the words of a query, and the facets that offer them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

FILTER_FIELDS = ("label", "host", "lang", "type", "after")
"""What hits can be narrowed down by, as addresses name it."""


class Sort(StrEnum):
    """Which hits come first; addresses have the word."""

    RELEVANCE = "relevance"
    DATE = "date"  # the newest, by the date that before: and after: go by


class SearchFilters(NamedTuple):
    """Restricts the hits to values that a person chose, '' for any; scores stay the same.

    `label` is one that the operator gave to sites, `host` one host and none below it; the others have values
    of lang:, filetype: and after:. With `with_facets` the hits come with Facets.
    """

    label: str = ""
    host: str = ""
    lang: str = ""
    type: str = ""
    after: str = ""
    sort: Sort = Sort.RELEVANCE
    with_facets: bool = False

    @property
    def chosen(self) -> Mapping[str, str]:
        """The values by those of FILTER_FIELDS that have one."""
        return {field: value for field in FILTER_FIELDS if (value := getattr(self, field))}

    def with_value(self, field: str, value: str) -> "SearchFilters":
        """Returns a copy with this value of one of FILTER_FIELDS."""
        fields: dict[str, Any] = {field: value}
        return self._replace(**fields)


NO_FILTERS = SearchFilters()


class FacetCount(NamedTuple):
    """How many of the hits have a value."""

    value: str
    hits: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values of the hits by FILTER_FIELDS, as SearchFilters has them; guesses where they are not `exact`.

    Days of `after` come first the latest, with all hits since; other values the most frequent first.
    """

    counts: Mapping[str, Sequence[FacetCount]]
    exact: bool = True

    def as_object(self) -> dict[str, object]:
        """Returns the value for JSON."""
        values = {field: [share._asdict() for share in shares] for field, shares in self.counts.items()}
        return {"exact": self.exact, **values}
