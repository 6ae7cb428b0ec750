"""Defines the fields of the index: Whoosh's schema and the segments' layout.

Texts are analysed by `engine.text.analysis`; Whoosh's own analyzers only cut at spaces, so Whoosh can
open and search the folder with none of our code but the codec: what it is asked for has to be terms.
"""

from whoosh.analysis.tokenizers import SpaceSeparatedTokenizer
from whoosh.fields import ID, STORED, TEXT, Schema

from engine.segment import Layout

HEADINGS = "headings"
SUBJECT = "subject"  # the words of the title that are not its host's: those that few of its other titles have
OWN_FIELDS = ("title", SUBJECT, HEADINGS, "anchor", "path", "description", "keywords", "body")
REST = "rest"  # what else can be seen, and what the whole host says: found as well, after all others
TEXT_FIELDS = (*OWN_FIELDS, REST)
PHRASE_FIELDS = ("title", "headings", "anchor", "body")  # those with positions
FORMS = "forms"  # words as they are typed, of those below
FORM_FIELDS = ("title", "headings", "body")
NAMES = "names"  # terms by which pages are found while their names are being typed: names.py
FILTERS = ("site", "type", "day", "link")  # what site:, filetype:, before: and link: ask for
SIGNAL = "signal"  # levels of the operator's own signals: a name, a space, a whole number up to LEVELS
LEVELS = 100  # of a signal; 0 is not written
KEYS = ("url", "host", "language", "flag", FORMS, NAMES, *FILTERS, SIGNAL)
LAYOUT = Layout(TEXT_FIELDS, frozenset(PHRASE_FIELDS), KEYS)


def whoosh_schema() -> Schema:
    """Returns the fields as Whoosh has them."""
    texts = {
        name: TEXT(analyzer=SpaceSeparatedTokenizer(), phrase=name in PHRASE_FIELDS) for name in TEXT_FIELDS
    }
    return Schema(
        url=ID(unique=True, stored=True),
        host=ID(),
        language=ID(stored=True),
        flag=ID(),
        forms=ID(),
        site=ID(),  # the host and the domains that it is in
        type=ID(),
        day=ID(),
        link=ID(),  # the number, in the link graph, of what the page links to
        names=ID(),
        signal=ID(),
        media_type=STORED(),
        fetched_at=STORED(),  # seconds since 1970, UTC
        content=STORED(),  # the page as texts.pack() has it, without its links
        kept=STORED(),  # what of its text is not its host's template: engine.index.stored_pages.stored_page
        **texts,
    )
