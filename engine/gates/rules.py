"""Defines the gates: each compares figures of two generations and returns a reason to refuse, or ''."""

from collections.abc import Mapping
from typing import NamedTuple

FEW = 5  # documents that a host, or a small index, may lose whatever their share
WORST = 5  # hosts that are named
NOISE_SECONDS = 0.005  # of processor time; nobody sees so much in an answer


class HostDocuments(NamedTuple):
    """Documents of one host."""

    before: int  # in the old generation
    now: int  # in the new one
    stored: int  # pages in the crawl database
    withdrawn: int = 0  # of `before`: left by a word of their owner, their server or the operator

    @property
    def missing(self) -> int:
        """Pages of the crawl database that are not in the new generation: there may be none."""
        return max(self.stored - self.now, 0)

    @property
    def lost(self) -> int:
        """Documents of the old generation that are missing without a reason."""
        return max(self.before - self.withdrawn - self.now, 0)


class AnswerFigures(NamedTuple):
    """Figures about a generation's answers: their quality and speed."""

    ndcg: float  # the mean over the judged queries, from 0 to 1; 0.0 where there are none
    seconds: float  # of processor time for a query, the median


def check_documents(hosts: Mapping[str, HostDocuments], percent: int) -> str | None:
    """Refuses an index that has fewer documents by more than so many percent."""
    expected = sum(host.before - host.withdrawn for host in hosts.values())
    now = sum(host.now for host in hosts.values())
    if expected - now <= max(FEW, expected * percent / 100):
        return None
    return (
        f"the new index holds {now:,} documents, of the old one's {expected:,} should be left "
        f"({percent} % may be missing: max_lost_percent in [rebuild])"
    )


def check_hosts(hosts: Mapping[str, HostDocuments], percent: int) -> str | None:
    """Refuses an index that lacks pages of a host, or lost more than so many percent of one, or all."""
    worst = {name: host for name, host in hosts.items() if host.missing or _lost_too_many(host, percent)}
    if not worst:
        return None
    order = sorted(worst, key=lambda name: (-max(worst[name].missing, worst[name].lost), name))
    named = ", ".join(f"{name} {_describe_loss(worst[name])}" for name in order[:WORST])
    more = f", and {len(order) - WORST:,} more" if len(order) > WORST else ""
    allowed = f"{percent} % may be missing: max_host_lost_percent in [rebuild]"
    return f"hosts lost documents ({allowed}): {named}{more}"


def check_ndcg(old: AnswerFigures, new: AnswerFigures, hundredths: int) -> str | None:
    """Refuses an index that answers the judged queries worse by more than so much nDCG@10."""
    if old.ndcg - new.ndcg <= hundredths / 100:
        return None
    return (
        f"nDCG@10 over queries.tsv falls from {old.ndcg:.3f} to {new.ndcg:.3f} "
        f"(by {hundredths / 100:.2f} it may: max_ndcg_loss in [rebuild])"
    )


def check_latency(old: AnswerFigures, new: AnswerFigures, percent: int) -> str | None:
    """Refuses an index that needs so many percent more time for a query, and more than noise."""
    if new.seconds <= max(old.seconds * (1 + percent / 100), old.seconds + NOISE_SECONDS):
        return None
    return (
        f"a query takes {new.seconds * 1000:.1f} ms of processor time in place of {old.seconds * 1000:.1f} "
        f"({percent} % more it may: max_slowdown_percent in [rebuild])"
    )


def _lost_too_many(host: HostDocuments, percent: int) -> bool:
    expected = host.before - host.withdrawn
    return bool(host.lost) and (not host.now or host.lost > max(FEW, expected * percent / 100))


def _describe_loss(host: HostDocuments) -> str:
    if host.missing:
        return f"has {host.now:,} documents of {host.stored:,} pages in the crawl database"
    kept = f"{host.now:,} of {host.before - host.withdrawn:,} documents are left"
    return f"({kept}; the crawl database has {host.stored:,} pages and does not say why)"
