"""Loads the files that a reader needs before it is confined: afterwards it can open none."""

import encodings
import time
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

from engine.formats import FORMATS
from engine.text.charset import BROWSER_CHARSETS, decode, decode_bytes
from engine.text.language import load_packed_model
from engine.url import registrable_domain

OCTETS = bytes(range(256))
# Imported only where a page needs them, elsewhere: they take up to 0.1 s.
MODULES = (
    *(one.reader.partition(":")[0] for one in FORMATS),
    "engine.text.charset.proof",
    "engine.text.documents.pdf_picture",
    "engine.text.duplicates.sketch",
    "_strptime",
    "unicodedata",
)


def preload() -> None:
    """Loads models and modules, in about 0.1 s, so that no page has to wait for them."""
    for name in MODULES:
        import_module(name)
    for codec in iter_modules(encodings.__path__):
        with suppress(ImportError):  # those of Windows
            import_module(f"encodings.{codec.name}")
    for charset in BROWSER_CHARSETS:
        decode_bytes(OCTETS, charset)
    decode(OCTETS, "")  # what is not declared is guessed, by tables of its own
    load_packed_model()
    registrable_domain("http://h.example/")  # reads the public suffixes, for a canonical URL on another host
    time.localtime()  # reads the time zone
