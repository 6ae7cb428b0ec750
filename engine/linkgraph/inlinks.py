"""Defines what the link graph tells of a URL: how often it is linked to, and on which words."""

from typing import NamedTuple, Self

_DIGITS = 6  # of votes


class Inlinks(NamedTuple):
    """What links to a URL: distinct pages, distinct voters, and the votes they cast together."""

    pages: int = 0
    voters: int = 0
    votes: float = 0.0

    @classmethod
    def of_sums(cls, pages: int, voters: int, votes: float) -> Self:
        """Makes them of sums; votes that were added up in another order are rounded to the same."""
        return cls(pages, voters, round_votes(votes))


def round_votes(votes: float) -> float:
    """Rounds votes, so that the order in which they are added up makes no difference."""
    return round(votes, _DIGITS)


class VotePivots(NamedTuple):
    """How many linking pages cast half of a voter's vote: of the target's own domain, and of another."""

    same_domain: float
    other_domain: float


class Anchor(NamedTuple):
    """Words that links to a URL stand on, and by how many distinct voters they were chosen."""

    text: str
    voters: int
