"""Finds secrets on a page: keys, tokens, passwords, card numbers (requirement 284).

Only what cannot well be anything else: a manual that tells about passwords has many, all of them examples.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.model import Page, Secret
from engine.text.screening.card_numbers import find_card_number

SHORTEST_BODY = 60  # characters of a key; the shortest, of Ed25519, has 64
SHORTEST_PASSWORD = 10  # characters; shorter ones are examples as often as not
MAX_SETTING = 300  # characters of a line
# Of small and capital letters, digits, other characters, in a password that is none of a manual.
FEWEST_KINDS = 3
FEWEST_CHARACTERS = 8  # different ones in a secret; made-up ones repeat theirs
MAX_USER = 64  # characters of a name
SEVERAL_USERS = 3  # with the hashes of their passwords; manuals show one or two
MUCH = 0.3  # of a text; a file of hashes has little else

_MADE_UP = re.compile(
    r"example|sample|xxx|your|placeholder|change_?me|dummy|fake|test|demo|secret|passw|hunter|foobar|1234|abcd"
    r"|0000|qwerty|letmein|redacted|insert|replace|\.\.\.|\*\*\*|[<>{}$%]",
    re.IGNORECASE,
)
_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----(.{60,1500})", re.DOTALL)
_KEY_HEADER = re.compile(r"\b[A-Z][\w-]+: ?\S+(?: v\S+)?")  # Proc-Type: 4,ENCRYPTED (RFC 1421, 4.6)
_BODY = re.compile(rf"[A-Za-z0-9+/=]{{{SHORTEST_BODY},}}")
_TOKENS = (
    ("AKIA", re.compile(r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Za-z0-9])")),  # Amazon
    ("ghp_", re.compile(r"(?<!\w)ghp_[A-Za-z0-9]{36}(?!\w)")),  # GitHub
    ("github_pat_", re.compile(r"(?<!\w)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)")),
    ("sk_live_", re.compile(r"(?<!\w)sk_live_[A-Za-z0-9]{24,99}(?!\w)")),  # Stripe
)
_HASH = re.compile(r"\$(?:apr1|1|5|6|y|2[abxy])(\$[./A-Za-z0-9$=,]{20,120})")
_USER = re.compile(rf"([\w.@-]{{1,{MAX_USER}}}):$")
_CONNECTION = re.compile(r"://([^\s:/@]{1,64}):([^\s/@]{10,128})@([\w.-]+)")
_NOWHERE = re.compile(r"localhost|127\.|.*(?:example|host|server|domain|invalid|test)", re.IGNORECASE)
_SETTING = re.compile(
    r"(?:export |define\( ?)?['\"]?[\w.-]*(?:password|passwd|pwd|secret|token|api_?key|access_?key)[\w-]*"
    rf"['\"]? ?(?:=>?|:|,) ?(['\"]?)([!#-&*+./0-9=@A-Z^_a-z~-]{{{SHORTEST_PASSWORD},128}})\1(?: ?\)?[;,])?",
    re.IGNORECASE,
)


class _Sign(NamedTuple):
    kind: str
    place: Callable[[str], int | None]


def find_secrets(page: Page) -> tuple[Secret, ...]:
    """Finds each kind of secret on a page, and where the first of them is."""
    main = page.text
    text = "\n".join(part for part in (main, page.rest, page.title, page.description) if part)
    signs = (*_SIGNS, _OF_SETTINGS) if page.media_type == "text/plain" else _SIGNS
    found = sorted((place, sign.kind) for sign in signs if (place := sign.place(text)) is not None)
    first = {kind: place for place, kind in reversed(found)}
    return tuple(
        Secret(kind, _line_number(main, first[kind])) for kind in sorted(first, key=first.__getitem__)
    )


def _line_number(main: str, place: int) -> int:
    """Returns the number of a line in the main text, from 1; 0 for a place outside of it."""
    return main.count("\n", 0, place) + 1 if place < len(main) else 0


def _find_private_key(text: str) -> int | None:
    if "PRIVATE KEY" not in text:
        return None
    for match in _KEY.finditer(text):
        body = match[1].replace("\\n", "\n").partition("-----END")[0]
        whole = _BODY.match("".join(_KEY_HEADER.sub("", body).split()))
        if whole and _count_character_kinds(whole[0]) >= FEWEST_KINDS and not _is_made_up(whole[0]):
            return match.start()
    return None


def _find_token(text: str) -> int | None:
    places = (
        match.start() for begin, pattern in _TOKENS if begin in text for match in _find_real(pattern, text)
    )
    return next(places, None)


def _find_real(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return (match for match in pattern.finditer(text) if not _is_made_up(match[0].rpartition("_")[2]))


def _find_password_hash(text: str) -> int | None:
    """Finds hashes of passwords: with the names of several users, or as most of the text."""
    if "$" not in text:
        return None
    hashes = [match for match in _HASH.finditer(text) if not _is_made_up(match[1].replace("$", ""))]
    before = (text[max(match.start() - MAX_USER - 1, 0) : match.start()] for match in hashes)
    users = {user[1] for name in before if (user := _USER.search(name))}
    whole = sum(len(match[0]) for match in hashes)
    if len(users) >= SEVERAL_USERS or (hashes and whole >= MUCH * len(text)):
        return hashes[0].start()
    return None


def _find_connection_string(text: str) -> int | None:
    """Finds a password in an address: scheme://user:password@host."""
    if "@" not in text:
        return None
    for match in _CONNECTION.finditer(text):
        if _is_password(match[2]) and not _NOWHERE.match(match[3]):
            return match.start()
    return None


def _find_password_setting(text: str) -> int | None:
    """Finds a password in a file of settings."""
    place = 0
    for line in text.split("\n"):
        setting = _SETTING.fullmatch(line) if len(line) <= MAX_SETTING else None
        if setting and _is_password(setting[2]):
            return place
        place += len(line) + 1
    return None


def _is_password(text: str) -> bool:
    return _count_character_kinds(text) >= FEWEST_KINDS and not _is_made_up(text)


def _count_character_kinds(text: str) -> int:
    return sum(bool(re.search(kind, text)) for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^a-zA-Z0-9]"))


def _is_made_up(text: str) -> bool:
    return len(set(text)) < FEWEST_CHARACTERS or bool(_MADE_UP.search(text))


_SIGNS = (
    _Sign("private key", _find_private_key),
    _Sign("access key", _find_token),
    _Sign("password", _find_password_hash),
    _Sign("password", _find_connection_string),
    _Sign("card number", find_card_number),
)
_OF_SETTINGS = _Sign("password", _find_password_setting)  # in a file of them; in HTML they are a manual's
