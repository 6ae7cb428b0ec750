"""Shows the pages for owners of sites: who Lycosa is, how to keep it out, what a robots.txt says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from engine import VERSION
from engine.middleware import Identity, find_source_addresses
from engine.model import Message
from engine.report import escape_text, explain_robots
from engine.robots import AGENT, RobotsTxt
from engine.url import MAX_URL_LENGTH, canonicalize
from search_ui.rendering import as_web_link, encode_json, render_html
from search_ui.search_request import parse_form, read_form_body
from search_ui.server import ThreadLimiter, build_own_url

CHECK = "/robot/check"
MAX_FORM_BYTES = 64 * 1024  # a robots.txt of 40 KB as a browser encodes it, half a second of work at most
CHECKS = 1  # at once: Python runs one thread at a time, and searches go first
MAX_WAITING = 4  # for it
MAX_LINES = 200  # of the pasted file shown, around the one that decides

NO_ADDRESS = Message("Enter the full address of a page, such as https://www.example.org/private/.")
PURPOSE = Message("Lycosa reads pages of the web so that people can search them. Each hit links to its page.")
SAMPLE = f"User-agent: {AGENT}\nDisallow: /\n"
OBEYS = (
    Message(
        "robots.txt (RFC 9309): the group for {agent}, else the one for *; the longest rule that matches",
        agent=AGENT,
    ),
    Message("Crawl-delay, Request-rate and Visit-time in robots.txt"),
    Message("Content-Signal: search=no in robots.txt"),
    Message("Sitemap lines in robots.txt"),
    Message(
        "META robots in a page's head and X-Robots-Tag in its HTTP headers: "
        "noindex, nofollow, none, noarchive, nosnippet, max-snippet, unavailable_after"
    ),
    Message("rel=nofollow on a link"),
)


@dataclass(frozen=True, slots=True)
class OwnerPages:
    """The pages of one operator's Lycosa (requirements 277, 279, 310, 316, 317)."""

    identity: Identity
    has_own_pages: bool = False  # /owner is there, for who shows that a host is his
    addresses: Sequence[str] = field(default_factory=find_source_addresses)
    _room: ThreadLimiter = field(default_factory=lambda: ThreadLimiter(CHECKS, MAX_WAITING))

    def about(self, _: Request) -> Response:
        """Shows who the robot is and how to keep it out."""
        mailbox, contact = self.identity.mailbox, self.identity.contact
        link = f"mailto:{quote(mailbox, safe='@+')}" if mailbox else as_web_link(contact)
        return render_html(
            "robot.html", typed="", about=self._about(), contact_link=link, has_own_pages=self.has_own_pages
        )

    def about_json(self, _: Request) -> Response:
        """Returns the same as JSON, in the form of lists of robots (requirement 316)."""
        return Response(encode_json(self._about()), media_type="application/json")

    async def check(self, request: Request) -> Response:
        """Shows the form, and after POST the verdict; nothing is fetched and nothing is stored."""
        if request.method != "POST":
            return _form(RobotsCheckForm())
        return await self._room.run(_answer, await read_form_body(request, MAX_FORM_BYTES))

    def _about(self) -> Mapping[str, object]:
        return {
            "name": "Lycosa",
            "product_token": AGENT,
            "version": VERSION,
            "user_agent": self.identity.user_agent,
            "purpose": PURPOSE,
            "contact": self.identity.contact or None,
            "from": self.identity.mailbox or None,
            "addresses": list(self.addresses),
            "obeys": OBEYS,
            "sample": SAMPLE,
            "check": build_own_url(CHECK),
        }


@dataclass(frozen=True, slots=True)
class RobotsCheckForm:
    """What an owner wants to know: a robots.txt with \\n at the ends of its lines, a URL, a robot's name."""

    robots: str = ""
    url: str = ""
    agent: str = AGENT

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "RobotsCheckForm":
        """Reads the form. HTTPException 413: the URL or the name is too long."""
        # A browser sends each end of line as CR LF, whatever it was (HTML, 4.10.22.4).
        robots = fields.get("robots", "").replace("\r\n", "\n").replace("\r", "\n")
        paste = cls(robots, fields.get("url", "").strip(), fields.get("agent", "").strip() or AGENT)
        if max(len(paste.url), len(paste.agent)) > MAX_URL_LENGTH:
            raise HTTPException(
                413,
                Message("A URL or a name may have at most {limit} characters here.", limit=MAX_URL_LENGTH),
            )
        return paste

    def without_nul(self) -> "RobotsCheckForm":
        """Returns the form's values without NUL, which HTML does not allow (13.2.3.5)."""
        texts = (self.robots, self.url, self.agent)
        return RobotsCheckForm(*(text.replace("\0", "\N{REPLACEMENT CHARACTER}") for text in texts))


def _answer(body: bytes) -> Response:
    paste = RobotsCheckForm.read(parse_form(body))
    try:
        url = canonicalize(paste.url)
    except ValueError:
        return _form(paste, 400, hint=NO_ADDRESS)
    found = explain_robots(RobotsTxt.parse(paste.robots.encode()), paste.agent, url)
    lines = paste.robots.removesuffix("\n").split("\n")
    first = max(0, found.line - MAX_LINES // 2)
    shown = [escape_text(line) for line in lines[first : first + MAX_LINES]]
    return _form(paste, found=found, first=first + 1, lines=shown, total=len(lines))


def _form(paste: RobotsCheckForm, status: int = 200, **values: object) -> Response:
    values = {"found": None, "hint": "", **values}
    return render_html(
        "robot_check.html",
        status,
        headers=None,
        typed="",
        paste=paste.without_nul(),
        visible=escape_text,
        max_url=MAX_URL_LENGTH,
        **values,
    )
