"""Counts URLs that a rule left out, with an example for rules that detect traps."""

import logging
from collections import Counter
from collections.abc import Callable

import sqlalchemy as sa

from engine.store import Extent, Sighting, Target, save_examples, save_sighting
from engine.url import MAX_USUAL_LENGTH, find_repeated_prefix, host_of

# What of a host's links makes it a suspect; "long" is queued all the same (C29).
DOMAIN = ("domain hosts", "domain pages", "domain queue")  # what a domain has too many of
OF_LINKS = frozenset({"length", "long", "repeat", "queries", "host pages", "depth", "sensitive", *DOMAIN})
STRANGE = ("length", "long", "repeat", "queries")  # what no honest link looks like; requirement 54
MAX_STRANGE = 0.3  # of the URLs found on a host; above that it is reported; requirement 54
FEWEST_STRANGE = 50  # below that a share says nothing
MAX_NOTED = 100  # places noted between two commits, some 30 kB; more would tell nothing new

logger = logging.getLogger("lycosa")


def _log_nothing(what: str, rule: str, url: str) -> None:
    """Logs nothing: for who asks rules without a crawl."""


class Suspects:
    """Counts refusals in `counts` at once; signs of traps are kept for the next commit.

    `log` is told what each was, the rule, and the URL.
    """

    def __init__(self, counts: Counter[str], log: Callable[[str, str, str], object] = _log_nothing) -> None:
        self.counts, self._log = counts, log
        self._noted: dict[tuple[str, str], Sighting] = {}  # by rule and place
        self._strange: Counter[str] = Counter()  # links of this run by host, some 200 bytes each
        self._examples: dict[str, str] = {}  # the first URL that each rule skipped
        self._logged = 0  # how many of these the run log has
        self._reported: set[str] = set()  # those of these hosts that are known to be strange

    def count_refused(self, what: str, rule: str, url: str) -> None:
        """Counts a URL that this rule refuses; `what` is what it was (requirement 38)."""
        self.counts[f"{what} skipped: {rule}"] += 1
        self._examples.setdefault(rule, url)
        self._log(what, rule, url)
        logger.debug("skipped by the rule %s: %s", rule, url)
        if rule in OF_LINKS:
            self.add_sighting(rule, url)

    def add_example(self, rule: str, url: str) -> None:
        """Keeps a URL that was queued and is skipped by this rule as its example."""
        self._examples.setdefault(rule, url)

    def check_length(self, url: str) -> None:
        """Checks the length of a queued URL: one longer than usual may show a trap (C29)."""
        if len(url) > MAX_USUAL_LENGTH:
            self.add_sighting("long", url)

    def add_sighting(self, rule: str, url: str) -> None:
        """Adds a sign of a trap on a host, by this rule, with this URL as its example."""
        host, target = host_of(url), suspected_target(rule, url)
        self._strange[host] += rule in STRANGE
        noted = self._noted.get((rule, target.text))
        if noted:
            self._noted[rule, target.text] = noted._replace(times=noted.times + 1)
        elif len(self._noted) < MAX_NOTED:
            self._noted[rule, target.text] = Sighting(host, rule, target, url)

    def save(self, connection: sa.Connection, run: int, now: float, known: Callable[[str], int]) -> None:
        """Saves the sightings; `known` says how many URLs of a host the database has."""
        if len(self._examples) > self._logged:
            self._logged = len(self._examples)
            save_examples(connection, run, self._examples)
        noted, self._noted = self._noted.values(), {}
        for one in noted:
            if save_sighting(connection, one, run, now):
                logger.warning("%s has many URLs that are too long, for example %s", one.host, one.example)
        for host, example in {one.host: one.example for one in noted if one.rule in STRANGE}.items():
            if self._is_trap(host, known(host)):
                number, whole = self._strange[host], Target(Extent.HOST, host)
                save_sighting(connection, Sighting(host, "strange", whole, example, number), run, now)

    def _is_trap(self, host: str, known: int) -> bool:
        """Tells whether too many URLs found on a host are strange; True once a run (requirement 54)."""
        number = self._strange[host]
        share = number / (number + known)
        if number < FEWEST_STRANGE or share <= MAX_STRANGE or host in self._reported:
            return False
        self._reported.add(host)
        logger.warning("%s is suspected to be a trap: %.0f %% of its URLs are strange", host, 100 * share)
        return True


def suspected_target(rule: str, url: str) -> Target:
    """Returns what would be blocked if the operator judged the suspect to be a trap."""
    if rule == "queries":
        return Target(Extent.PREFIX, url.partition("?")[0] + "?")
    if rule == "repeat" and (begin := find_repeated_prefix(url)):
        return Target(Extent.PREFIX, begin)
    if rule == "sensitive":
        return Target(Extent.URL, url)
    return Target(Extent.HOST, host_of(url))
