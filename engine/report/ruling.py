"""Describes what a robots.txt says to one robot about one URL, in words and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.model import Message
from engine.report.wording import escape_text, format_time
from engine.robots import RequestRate, RobotsState, RobotsTxt, Verdict, Window
from engine.url import host_of

MAX_LISTED = 5  # of the sitemaps and of the warnings, on the terminal


@dataclass(frozen=True, slots=True)
class RobotsRuling:
    """The verdict and what leads to it; `line` is 0 when no rule matches, `group` () when none is meant.

    Texts are the owner's own: `escape_text` makes them fit to be shown.
    """

    url: str
    agent: str
    allowed: bool
    reason: str
    rule: str = ""
    line: int = 0
    group: tuple[str, ...] = ()
    crawl_delay: float | None = None  # seconds between two requests
    request_rates: tuple[str, ...] = ()
    visit_times: tuple[str, ...] = ()
    indexable: bool = True
    sitemaps: tuple[str, ...] = ()
    warnings: tuple[tuple[int, str], ...] = ()  # a line, and what is odd about it


def explain_robots(rules: RobotsTxt, agent: str, url: str) -> RobotsRuling:
    """Explains how these rules decide about a canonical URL."""
    decided = rules.explain(agent, url)
    if decided.line:
        reason = Message("of the matching rules, this one decides")
    elif url == f"{host_of(url)}/robots.txt":
        reason = Message("robots.txt itself may always be fetched")
    elif decided.group:
        reason = Message("no rule of its group matches, and what is not disallowed is allowed")
    else:
        reason = Message("no group of the file names this robot or every robot (*)")
    return RobotsRuling(
        url=url,
        agent=agent,
        allowed=decided.allowed,
        reason=reason,
        rule=decided.rule,
        line=decided.line,
        group=decided.group,
        crawl_delay=rules.crawl_delay(agent),
        request_rates=tuple(map(_rate, rules.request_rates(agent))),
        visit_times=tuple(map(_hours, rules.visit_times(agent))),
        indexable=rules.indexable(agent),
        sitemaps=rules.sitemaps,
        warnings=(*filter(None, [rules.beyond(agent)]), *rules.warnings),
    )


def ruling_of_host(state: RobotsState, agent: str, url: str, profile: str) -> RobotsRuling:
    """Explains how the last response to GET /robots.txt decides; its rules count only where it has some."""
    if state.verdict is Verdict.OBEY:
        return replace(explain_robots(state.rules_by(profile), agent, state.normalize(url)), url=url)
    return RobotsRuling(url, agent, state.allowed(agent, url), state.reason(agent, url))


def ruling_object(one: RobotsRuling, state: RobotsState | None) -> dict[str, Any]:
    """Returns the ruling for JSON; `robots_txt` is null for a file of the operator."""
    return {
        **asdict(one),
        "warnings": [{"line": line, "text": text} for line, text in one.warnings],
        "robots_txt": _last_answer(state) if state else None,
    }


def ruling_lines(one: RobotsRuling, state: RobotsState | None) -> Iterator[str]:
    """Formats the ruling as text, the verdict first."""
    rows = [("allowed" if one.allowed else "disallowed", one.url), ("robot", one.agent)]
    if one.group:
        rows.append(("group", ", ".join(one.group)))
    if one.line:
        rows.append((f"line {one.line}", one.rule))
    rows.append(("reason", one.reason))
    if state:
        answer = "no answer" if state.status is None else f"HTTP {state.status}"
        rows.append(("fetched", f"{format_time(state.fetched_at)}, {answer}"))
        rows.append(("expires", format_time(state.expires_at)))
    if one.crawl_delay is not None:
        rows.append(("crawl delay", f"{one.crawl_delay:g} s"))
    rows += [("request rate", rate) for rate in one.request_rates]
    rows += [("visit time", hours) for hours in one.visit_times]
    if not one.indexable:
        rows.append(("index", "no (Content-Signal: search=no)"))
    rows += _listed("sitemap", one.sitemaps)
    rows += _listed("warning", [f"line {line}: {text}" for line, text in one.warnings])
    return (f"{name:<14}{escape_text(text)}" for name, text in rows)


def _last_answer(state: RobotsState) -> dict[str, Any]:
    return {
        "verdict": state.verdict,
        "status": state.status,
        "fetched_at": format_time(state.fetched_at),
        "expires_at": format_time(state.expires_at),
    }


def _listed(name: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from ((name, text) for text in texts[:MAX_LISTED])
    if len(texts) > MAX_LISTED:
        yield name, f"and {len(texts) - MAX_LISTED:,} more"


def _rate(rate: RequestRate) -> str:
    often = f"{rate.requests} in {rate.seconds:g} s"
    return f"{often}, {_hours(rate.window)}" if rate.window else often


def _hours(window: Window) -> str:
    start, end = (f"{minute // 60:02}:{minute % 60:02}" for minute in (window.start, window.end))
    return f"{start}-{end} UTC"
