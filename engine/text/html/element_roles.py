"""Guesses an element's role from its class names and ids: main text, menu, comment, advert."""

import re
from enum import IntEnum
from functools import lru_cache

MAX_NAMES = 200  # characters of an element's classes and ids ; longer ones are made by programs
MAX_VERDICTS = 8_192  # combinations remembered, some 2 MB: those in the templates of the sites being crawled


class ElementRole(IntEnum):
    """The role of an element on its page."""

    PLAIN = 0  # nobody can tell
    FURNITURE = 1  # navigation, advertisement, and what else is not why people come
    TALK = 2  # what readers have written below
    SIDE = 3  # furniture if it has links; without, a remark beside the text
    MAYBE = 4  # furniture if it is full of links
    CONTENT = 5  # what people come for


_FURNITURE_WORDS = """
    ad ads adbox adslot adsense advert adverts advertisement advertising advertorial affiliate banner
    blogroll breadcrumb breadcrumbs byline colophon consent cookie cookies copyright crumb crumbs
    disclaimer flyout footer footers gdpr hamburger interstitial lightbox login logon masthead megamenu
    menubar modal nav navi navigation newsletter outbrain pager paginate pagination paging paywall popup
    postmeta prevnext printonly promo promos promoted promotion recirc recirculation recommendation
    recommendations recommended related reklama searchbar searchbox searchform share shares sharebar sharing
    shariff sidenav signin signup skiplink skiplinks skyscraper social socials sociallinks
    sponsor sponsored sponsors subnav subscribe subscription taboola tagcloud ticker toolbar tooltip
    topbar topnav trending upsell usermenu widget widgets
    navbar navbox navlinks navheader navfooter
    catlinks editsection printfooter headerlink permalink
"""
_SIDE_WORDS = "sidebar sidebars"
_TALK_WORDS = "comments commentlist disqus discussion replies respond talkback livefyre kommentare"
_MAYBE_WORDS = """
    archive archives author autor bar bio bottom buttons categories drawer dropdown foot head header keywords
    lang language languages latest menu menus meta more next options path popular prev previous rail
    secondary tag tags teaser tertiary toc tools top toplang bottomlang
"""
_CONTENT_WORDS = """
    article articlebody articletext bodycontent content contents contentbody document entry entrycontent
    main maincontent maintext mainbody post postbody postcontent postings story storybody text thread topic
    body hentry markdown prose readme mw-parser-output primary
"""
_FURNITURE = frozenset(_FURNITURE_WORDS.split())
_SIDE = frozenset(_SIDE_WORDS.split())
_TALK = frozenset(_TALK_WORDS.split())
_MAYBE = frozenset(_MAYBE_WORDS.split())
_CONTENT = frozenset(_CONTENT_WORDS.split())
_ENDINGS = re.compile(r"(?:side|sub|top|main|foot|doc|site|page|left|right)?(?:nav|navi|navbar)\d*")
# A frame around everything is often named after what stands in it: has-sidebar, content-sidebar-wrap.
_AROUND = frozenset(["has", "with", "without", "no", "not", "is", "elementor"])
_GRID = frozenset(["table", "col", "column", "row", "cell", "grid"])  # a table-header is no page's
_FRAMES = frozenset(["content", "main", "page", "wrap", "wrapper", "layout"])
_ROLES = {
    "navigation": ElementRole.FURNITURE,
    "banner": ElementRole.FURNITURE,
    "contentinfo": ElementRole.FURNITURE,
    "complementary": ElementRole.FURNITURE,
    "search": ElementRole.FURNITURE,
    "dialog": ElementRole.FURNITURE,
    "alertdialog": ElementRole.FURNITURE,
    "menu": ElementRole.FURNITURE,
    "menubar": ElementRole.FURNITURE,
    "toolbar": ElementRole.FURNITURE,
    "tooltip": ElementRole.FURNITURE,
    "main": ElementRole.CONTENT,
    "article": ElementRole.CONTENT,
}
_NOTES = "admonition callout caution example footnote footnotes note pullquote tip warning"
_NOTE = frozenset(_NOTES.split())
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=MAX_VERDICTS)
def classify_box(names: str, role: str = "") -> ElementRole:
    """Classifies an element by its classes and ids, parted by spaces, and its ARIA role."""
    if known := _ROLES.get(role):
        return known
    if len(names) > MAX_NAMES:
        return ElementRole.PLAIN
    verdicts = {_classify_name(name) for name in names.split()}
    for part in (
        ElementRole.FURNITURE,
        ElementRole.SIDE,
        ElementRole.TALK,
        ElementRole.CONTENT,
        ElementRole.MAYBE,
    ):
        if part in verdicts:
            return part
    return ElementRole.PLAIN


def is_note(names: str) -> bool:
    """Tells whether an ASIDE of these names belongs to the text around it."""
    return not _NOTE.isdisjoint(names.lower().replace("-", " ").replace("_", " ").split())


def _classify_name(name: str) -> ElementRole:
    """Classifies one class or id by the words in it, parted by case, hyphens, underscores."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[0] in _GRID:
        return ElementRole.PLAIN
    known = {*words, "".join(words)}
    if known & _FURNITURE or any(_ENDINGS.fullmatch(word) for word in words):
        return ElementRole.PLAIN if words[0] in _AROUND or len(_FRAMES & known) > 1 else ElementRole.FURNITURE
    if known & _SIDE or name.lower().endswith("sidebar"):
        return ElementRole.PLAIN if words[0] in _AROUND or len(_FRAMES & known) > 1 else ElementRole.SIDE
    if known & _TALK or words[0] == "comment":  # a deprecation-comment is the author's
        return ElementRole.TALK
    if known & _CONTENT:
        return ElementRole.CONTENT
    return ElementRole.MAYBE if known & _MAYBE else ElementRole.PLAIN
