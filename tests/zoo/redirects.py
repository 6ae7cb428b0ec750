"""Redirects that lead nowhere, for ever, or to where nobody may go."""

from collections.abc import Callable

from tests.web.scripted import Answer
from tests.zoo.behaviour import (
    ALIAS,
    LOST,
    STORED,
    Behaviour,
    Exchange,
    Serve,
    answers,
    by_path,
    head,
    page,
    sends,
)

AWAY = (*LOST, ALIAS)
MAYBE = (*AWAY, STORED)


def to(target: Callable[[Exchange], str] | str, status: int = 302) -> Serve:
    """Redirects."""

    def moved(exchange: Exchange) -> Answer:
        where = target if isinstance(target, str) else target(exchange)
        return Answer(status, headers={"Location": where})

    return answers(moved)


def refreshed(target: Callable[[Exchange], str]) -> Serve:
    """Pages that are left at once for another one."""
    tag = '<meta http-equiv="refresh" content="0; url={}">'
    return answers(lambda it: page(it, head=tag.format(target(it))))


def onward(exchange: Exchange) -> str:
    """The next of a chain without end."""
    number = exchange.path.strip("/")
    return f"/{int(number or 0) + 1}"


def linked(*targets: Callable[[Exchange], str]) -> Serve:
    """A page with such links, and honest pages behind them if they are followed here."""
    start = answers(lambda it: page(it, *(target(it) for target in targets)))
    return by_path({"/": start}, answers(lambda it: page(it)))


def host(exchange: Exchange) -> str:
    """The stranger without its scheme."""
    return exchange.stranger.removeprefix("http://")


def port(exchange: Exchange) -> str:
    return exchange.here.rpartition(":")[2]


BUTTONS = ("cart/add?x=1", "basket/add/7", "cart?action=add&id=1", "wishlist/remove?x=1")
BASE = '<base href="{}/">'
CANONICAL = '<link rel="canonical" href="{}/">'
SPELLINGS = (
    "2130706433",
    "0x7f000001",
    "017700000001",
    "127.1",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0",
)
SCHEMES = (
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,<p>x",
    "ftp://127.0.0.1/",
    "gopher://127.0.0.1:6379/_x",
)


def to_scheme(address: str) -> Behaviour:
    scheme = address.partition(":")[0]
    return Behaviour(f"redirect to {scheme}:", "is no web", to(address), AWAY)


def to_spelling(name: str) -> Behaviour:
    why = "loopback in another spelling"
    return Behaviour(f"redirect to {name}", why, to(lambda it: f"http://{name}:{port(it)}/inside"), AWAY)


BEHAVIOURS = (
    Behaviour("redirect to itself", "never arrives", to("/"), AWAY, quick=True),
    Behaviour(
        "redirect in a circle",
        "never arrives",
        by_path({"/": to("/a"), "/a": to("/b")}, to("/a")),
        AWAY,
        quick=True,
    ),
    Behaviour("redirect without end", "is always new", to(onward, 301), AWAY, most=20, quick=True),
    Behaviour(
        "redirect to a stranger",
        "a private address that nobody named",
        to(lambda it: it.stranger + "/inside"),
        AWAY,
        quick=True,
    ),
    Behaviour(
        "redirect without scheme", "//host is another host", to(lambda it: f"//{host(it)}/inside"), AWAY
    ),
    Behaviour(
        "redirect with a user", "here@elsewhere is elsewhere", to(lambda it: f"{it.here}@{host(it)}/"), AWAY
    ),
    Behaviour(
        "redirect to a side effect",
        "a neighbour's button",
        to(lambda it: it.honest + "/delete?all=1"),
        AWAY,
        quick=True,
    ),
    *(to_scheme(address) for address in SCHEMES),
    *(to_spelling(name) for name in SPELLINGS),
    Behaviour(
        "redirect to nothing", "an empty Location", sends(head("Location: ", status="301 Moved")), AWAY
    ),
    Behaviour("redirect of 100 kB", "a URL that nobody takes", to("/" + "x" * 100_000), AWAY, quick=True),
    Behaviour(
        "Location in two lines", "splits an answer or a log", to("/a\r\n Set-Cookie: b\r\n\tc"), MAYBE, 1
    ),
    Behaviour(
        "Location of control characters", "speaks to the terminal", to("/\x1b]0;x\x07\x1b[2J"), MAYBE, 1
    ),
    Behaviour(
        "two Locations",
        "one each for two parsers",
        sends(head("Location: /a", "Location: //127.99.99.99/", status="302 Found")),
        MAYBE,
        1,
    ),
    Behaviour("300 of strangers", "choices that are none", to(lambda it: it.stranger, 300), AWAY),
    Behaviour(
        "305 through a stranger", "all later requests by a proxy", to(lambda it: it.stranger, 305), AWAY
    ),
    Behaviour(
        "refresh in a circle",
        "META refresh never arrives",
        refreshed(lambda it: "/b" if it.path == "/" else "/"),
        MAYBE,
        2,
    ),
    Behaviour("refresh without end", "META refresh is always new", refreshed(onward), MAYBE, 30, most=60),
    Behaviour("refresh to a stranger", "by META", refreshed(lambda it: it.stranger), MAYBE, 1, quick=True),
    Behaviour(
        "base of a stranger",
        "turns every link away",
        answers(lambda it: page(it, "a", "b", head=BASE.format(it.stranger))),
        (STORED,),
        1,
        quick=True,
    ),
    Behaviour(
        "canonical of a neighbour",
        "takes or gives pages that are not its own",
        answers(lambda it: page(it, head=CANONICAL.format(it.honest))),
        MAYBE,
        1,
        quick=True,
    ),
    Behaviour(
        "canonical in a circle",
        "each names the other",
        answers(
            lambda it: page(it, "/b", head=f'<link rel=canonical href="{"/b" if it.path == "/" else "/"}">')
        ),
        MAYBE,
        2,
    ),
    Behaviour(
        "links to strangers",
        "private addresses in all spellings",
        linked(
            *(lambda it, name=name: f"http://{name}:{port(it)}/in" for name in SPELLINGS),
            lambda it: it.stranger,
        ),
        (STORED,),
        1,
        quick=True,
    ),
    Behaviour(
        "links to side effects",
        "buttons",
        linked(
            *(
                lambda it, verb=verb: f"{it.honest}/{verb}?id=1"
                for verb in ("delete", "logout", "unsubscribe")
            )
        ),
        (STORED,),
        1,
        quick=True,
    ),
    Behaviour(
        "links to a basket",
        "buttons of a shop",
        linked(*(lambda it, verb=verb: f"{it.honest}/{verb}" for verb in BUTTONS)),
        (STORED,),
        1,
        quick=True,
    ),
    Behaviour(
        "links to no web",
        "other schemes",
        linked(*(lambda it, address=address: address for address in SCHEMES)),
        (STORED,),
        1,
    ),
)
