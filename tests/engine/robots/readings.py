"""Where other parsers of robots.txt read a file otherwise, each told as a change after which ours agrees.

A reading rewrites a question - file, agent, path - into one that means to us what the first means to them.
So it explains a difference and proves it: ours answers the rewritten question as they answer the first.
"""

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote, unquote

RULE = re.compile(r"(?i)\s*(allow|disallow|dissallow)\s*:\s*(.*)")
NAME = re.compile(r"(?i)\s*(user-agent|useragent|user agent)\s*:\s*(.*)")
PLAIN_NAME = re.compile(r"\*|[a-z_-]+", re.IGNORECASE)
NOBODY = "User-agent: nobody"
NO_RULE = "Disallow:"  # ends the names above it, and does nothing else


class Question(NamedTuple):
    """What is asked of a parser: may this agent fetch this path, by these lines?"""

    lines: tuple[str, ...]
    agent: str
    path: str


class Reading(NamedTuple):
    """One way to read otherwise, why we do not, and what it makes of a question."""

    name: str
    why: str
    change: Callable[[Question], Question]


def each_line(change: Callable[[str], list[str]]) -> Callable[[Question], Question]:
    """A change of lines one by one."""
    return lambda asked: asked._replace(lines=tuple(new for line in asked.lines for new in change(line)))


def each_value(
    pattern: re.Pattern[str], change: Callable[[str, str], list[str]]
) -> Callable[[str], list[str]]:
    """A change of the lines that have a field, by field and value."""

    def changed(line: str) -> list[str]:
        found = pattern.fullmatch(line)
        return change(found[1], found[2].strip()) if found else [line]

    return changed


def lose_first_line(asked: Question) -> Question:
    return (
        asked._replace(lines=asked.lines[1:]) if asked.lines[:1] and asked.lines[0][:1] == "\ufeff" else asked
    )


def whole_value_is_a_name(_: str, value: str) -> list[str]:
    if re.fullmatch(r"[\w-]*\*?", value):
        return [f"User-agent: {value}"]
    return [NOBODY]


def longest_part_of_the_name(asked: Question) -> Question:
    names = [found[2].strip(" *").lower() for line in asked.lines if (found := NAME.fullmatch(line))]
    parts = [name for name in names if name and re.search(rf"(?<![\w-]){re.escape(name)}", asked.agent)]
    return asked._replace(agent=max(parts, key=len, default=asked.agent))


def ends_names(line: str) -> list[str]:
    ours = RULE.fullmatch(line) or NAME.fullmatch(line) or line.startswith(("Sitemap", "#"))
    return [line, NO_RULE] if ":" in line and not ours else [line]


def prose_is_a_rule(line: str) -> list[str]:
    return [NO_RULE] if line.startswith("Disallow ") and ":" not in line and line.count(" ") > 1 else [line]


def one_path(field: str, value: str) -> list[str]:
    return [f"{field}: {'%20'.join(value.split(' '))}"]


def needs_a_slash(field: str, value: str) -> list[str]:
    return [f"{field}: {value}" if value[:1] in ("/", "*") else NO_RULE]


def dollar_twice(field: str, value: str) -> list[str]:
    lines = [f"{field}: {value}"]
    return [*lines, f"{field}: {value[:-1]}%24"] if value.endswith("$") else lines


def index_is_the_folder(field: str, value: str) -> list[str]:
    lines = [f"{field}: {value}"]
    folder = value.removesuffix("index.html")
    return [*lines, f"Allow: {folder}$"] if field == "Allow" and value.endswith("/index.html") else lines


def escape_all_but_letters(asked: Question) -> Question:
    """Decode all but %2F and %25, then encode all but what is plain to Protego: an escape is three long."""

    def spelt(text: str) -> str:
        kept = re.split(r"(?i)(%2f|%25|%20|[*$])", text)
        return "".join(
            part.upper() if at % 2 else quote(unquote(part), "/=~ ") for at, part in enumerate(kept)
        )

    path = spelt(asked.path.replace("$", "%24"))
    rewritten = each_line(each_value(RULE, lambda field, value: [f"{field}: {spelt(value)}"]))(asked)
    return rewritten._replace(path=path.replace("$", "%24"))


def decode_all(asked: Question) -> Question:
    """Decode every escape; a character is one long, whatever its octets, and slashes in a row are one."""

    def spelt(text: str) -> str:
        kept = re.split(r"(%24)", text)
        decoded = "".join(part if at % 2 else unquote(part) for at, part in enumerate(kept))
        return re.sub(r"[^!-~]", lambda found: "!'()+,;:@&"[ord(found[0]) % 10], decoded)

    rewritten = each_line(each_value(RULE, lambda field, value: [f"{field}: {spelt(value)}"]))(asked)
    return rewritten._replace(path=re.sub("//+", "/", spelt(asked.path)))


def first_word_without_digits(_: str, value: str) -> list[str]:
    found = PLAIN_NAME.match(value)
    return [f"User-agent: {found[0]}"] if found and not re.search(r"[]sS]", value[found.end() :]) else []


def nothing_special(asked: Question) -> Question:
    return asked._replace(path=asked.path.replace("/robots.txt", "/robots-txt"))


def several_paths_are_junk(field: str, value: str) -> list[str]:
    return [] if " " in value else [f"{field}: {value}"]


def knows_no_slips(line: str) -> list[str]:
    return [] if re.match(r"(?i)dissallow|useragent|user agent", line) else [line]


BOM = Reading("byte order mark", "C21: a byte order mark is skipped; they lose the line.", lose_first_line)
SLASH = Reading(
    "no slash", "C40: Disallow gets the slash; to them such a path matches nothing.",
    each_line(each_value(RULE, needs_a_slash)),
)  # fmt: skip
DOLLAR = Reading(
    "dollar", "RFC 9309, 2.2.3: $ at the end is the end; to them it is a dollar, too.",
    each_line(each_value(RULE, dollar_twice)),
)  # fmt: skip

PROTEGO = [
    BOM,
    Reading("whole value", "C8: names are split and cut; to Protego all that stands there is one name.",
            each_line(each_value(NAME, whole_value_is_a_name))),
    Reading("part of a name", "C9, RFC 9309, 2.2.1: names are compared whole; Protego takes a beginning.",
            longest_part_of_the_name),
    Reading("other fields", "RFC 9309, 2.2.4: no other line interferes; in Protego any field ends the names.",
            each_line(ends_names)),
    Reading("prose", "RFC 9309, 2.2: a line has a colon; to Protego a first word that is a field is enough.",
            each_line(prose_is_a_rule)),
    Reading("several paths", "C7: Disallow may name several paths; to Protego they are one, with blanks.",
            each_line(each_value(RULE, one_path))),
    SLASH,
    DOLLAR,
    Reading("index.html", "RFC 9309 has no such rule: Protego allows a folder with its index.html.",
            each_line(each_value(RULE, index_is_the_folder))),
    Reading("escapes", "RFC 9309, 2.2.2, C18: reserved octets differ from their escapes; to Protego few do.",
            escape_all_but_letters),
]  # fmt: skip

ROBOTSPY = [
    BOM,
    Reading("slips", "Requirement 143: slips of the pen are forgiven; robotspy ignores the line.",
            each_line(knows_no_slips)),
    Reading("first word", "C8, C9: all names of a line count, digits too; robotspy takes the first letters.",
            each_line(each_value(NAME, first_word_without_digits))),
    Reading("several paths", "C7: Disallow may name several paths; robotspy ignores the line.",
            each_line(each_value(RULE, several_paths_are_junk))),
    SLASH,
    DOLLAR,
    Reading("robots.txt", "C38, RFC 9309, 2.2.2: robots.txt is always allowed; robotspy asks the rules.",
            nothing_special),
    Reading("escapes", "RFC 9309, 2.2.2, C18: only unreserved octets are decoded; robotspy decodes all.",
            decode_all),
]  # fmt: skip
