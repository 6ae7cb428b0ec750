"""Writes the links of pages: as an edge list (source, target, the words between, parted by tabs), or JSON."""

import json
from collections.abc import Iterator

from engine.store import Change


def write_links(change: Change) -> Iterator[str]:
    """Writes a line for each link of the page; nothing for a URL that has left.

    The fourth column says `nofollow` where the link does, `aside` where it stands in navigation.
    """
    if (links := change.links) is None:
        return
    for url, anchor, nofollow, main in zip(*links, strict=True):
        rel = " ".join(["nofollow"] * nofollow + ["aside"] * (not main))
        yield "\t".join([change.url, url, " ".join(anchor.split()), rel])


def write_link_objects(change: Change) -> Iterator[str]:
    """Writes a line of JSON for each link of the page; nothing for a URL that has left."""
    if (links := change.links) is None:
        return
    for url, anchor, nofollow, main in zip(*links, strict=True):
        found = {"change": change.seq, "source": change.url, "target": url, "anchor": anchor}
        yield json.dumps({**found, "nofollow": nofollow, "main": main}, ensure_ascii=False)
