"""Detects URLs that are traps: endless spaces, buttons and programs, nothing to read."""

import re

from engine.formats import READABLE, suffixes_read
from engine.url.sensitive import is_sensitive

MAX_URL_LENGTH = 2048  # octets; C29
MAX_USUAL_LENGTH = 1024  # octets; who has longer ones is looked at; C29
MAX_REPEATS = 3  # times in a row; C30
MAX_PERIOD = 3  # path components; C30
DYNAMIC = ("cgi", "off", "all")  # which dynamic URLs are left; C34

_REPEAT = re.compile(rf"((?:/[^/]++){{1,{MAX_PERIOD}}})\1{{{MAX_REPEATS}}}(?=/|$)")

# Requirement 260, and what else holds no text: where one of these is read after all, its row in the table of
# formats (engine.formats) is enough.
_SUFFIXES = frozenset(
    " ".join(
        (
            "7z br bz2 cab gz iso jar lz lz4 lzma rar tar tbz tgz txz whl xz z zip zst",  # archives
            "apk bin class deb dll dmg dylib exe img msi o pkg rpm so war",  # programs
            "avif bmp gif heic ico jpeg jpg png psd svg svgz tif tiff webp",  # images
            "aac aif aiff flac m4a mid midi mp3 oga ogg opus wav wma",  # audio
            "3gp avi flv m4v mkv mov mp4 mpeg mpg ogv ts webm wmv",  # video
            "eot otf ttf woff woff2",  # fonts
            "css js json map mjs swf wasm",  # what pages are made with
            "doc docm odg odp ods odt pps ppsx ppt pptm pptx rtf xls xlsb xlsm xlsx",  # office
            "ai csv db dvi eps mdb parquet ps sqlite tsv",  # drawings and tables
        )
    ).split()
)

# Requirement 287: whole path components, with or without the suffix of a script, or names in the query; what
# is done with a cart; what a query says is to be done; and few verbs that only a query makes an order.
_SIDE_EFFECT = re.compile(
    r"""[/?&;] (?=[abcdelmorstuvw][acdeimnopru][dgklmoprstvwy=])
    (?:
      (?: (?: action | act | do | op | cmd | task | mode ) = )?
      (?: log[-_]?(?:out|off) | sign[-_]?(?:out|off)
        | delete | remove | destroy | unsubscribe
        | remove[-_]?item | empty[-_]?cart
        | add[-_]?to[-_]?(?:cart|basket|bag|wishlist|compare) )
    | (?: cart | basket | bag | trolley | wish[-_]?list | compare ) /
      (?: add | remove | delete | update | empty | clear ) (?: [-_]? (?: item | product ) s? )?
    | (?: cart | basket | bag | trolley | wish[-_]?list | compare ) (?: \. \w+ )? /? \? (?: [^?]* [&;] )?
      (?: action | act | do | op | cmd | task | mode ) = (?: add | update | empty | clear ) \w*
    | (?: add | vote | upvote | downvote | like | unlike | buy ) (?= (?: \. \w+ )? \? )
    )
    (?: \. (?:php\d?|aspx?|jspx?|do|cgi|pl) )?
    (?= [/?&;=] | $ )""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER_SCHEME = len("https://")


def refused_suffixes(types: frozenset[str]) -> frozenset[str]:
    """Returns the suffixes of URLs that are not fetched, when pages of these media types are read."""
    return (_SUFFIXES | suffixes_read()) - suffixes_read(types)


SUFFIXES = refused_suffixes(READABLE)


def find_trap(url: str, suffixes: frozenset[str] = SUFFIXES) -> str:
    """Finds the rule that keeps us from fetching a canonical URL, '' if none.

    One of length, file type (a suffix in lower case, one of `suffixes`), sensitive, repeat, side-effect.
    """
    if len(url) > MAX_URL_LENGTH:
        return "length"
    path = url.partition("?")[0]
    name = path[path.rindex("/") + 1 :].lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    if suffix in suffixes:
        return "file type"
    if is_sensitive(path, name, suffix):
        return "sensitive"
    if _has_repeats(path):
        return "repeat"
    return "side-effect" if _SIDE_EFFECT.search(url.replace("%2F", "/"), _AFTER_SCHEME) else ""


def find_dynamic(url: str, mode: str) -> str:
    """Finds the rule that refuses a canonical URL whose page a program makes, '' if none: cgi, query.

    `mode` is one of DYNAMIC: /cgi-bin/ is left, nothing is, or every query as well (requirements 227, 261).
    """
    if mode == "off":
        return ""
    path, question, _ = url.partition("?")
    if "/cgi-bin/" in path:
        return "cgi"
    return "query" if question and mode == "all" else ""


def find_repeated_prefix(url: str) -> str:
    """Finds the beginning that a URL repeats, which every deeper one has, too; '' for any other URL."""
    again = _REPEAT.search(url.partition("?")[0], _AFTER_SCHEME)
    return f"{url[: again.end(1)]}{again[1]}/" if again else ""


def _has_repeats(path: str) -> bool:
    components = path.split("/")
    # Few URLs have this many twins, and the pattern is the dearest of the tests.
    return len(components) - len(set(components)) >= MAX_REPEATS and bool(_REPEAT.search(path, _AFTER_SCHEME))
