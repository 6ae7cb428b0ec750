"""Chooses the charset of a body that is not UTF-8: the declared one, unless its bytes prove it wrong."""

import re

from w3lib.encoding import to_unicode

from engine.text.charset.declared import MAX_HEAD, USUAL
from engine.text.charset.detection import RARE, CharsetFit, CharsetSample, score_charsets, take_sample

MIN_PROOF = 10  # bytes that are not ASCII: with fewer, what is declared is believed
ENOUGH = 25.0  # nats between two charsets in one language: once in 10^11 by chance
CLEARLY = (3.0, 2.0)  # nats a byte between charsets in two languages: of Latin script, of others
READABLE = (9.0, 4.5)  # nats a byte at most for a text in a language that we know
DISAGREE = 8.0  # nats by which META must fit better than the header

_LANGUAGE = re.compile(rb"<html\b[^<>]{0,500}?\slang\s*=\s*[\"']?([a-zA-Z]{2})\b", re.IGNORECASE)


def choose_charset(body: bytes, declared: tuple[str, ...]) -> str:
    """Chooses the charset of bytes that are not all ASCII: the first declared, unless they prove it wrong.

    `declared` are charsets that header and page declare, by Python's names, UTF-8 and UTF-16 left out.
    """
    found = _LANGUAGE.search(body, 0, MAX_HEAD)
    sample = take_sample(body)
    costs = score_charsets(sample, found[1].decode().lower() if found else "", declared)
    best = min(costs, key=lambda name: costs[name].cost)
    if not declared:
        return USUAL if to_unicode(sample.text, USUAL) == to_unicode(sample.text, best) else best
    believed = declared[0]
    if set(declared) <= set(costs):
        gain = costs[believed].cost - costs[declared[-1]].cost
        believed = declared[-1] if gain * sample.size >= DISAGREE else believed
    return best if _disproves(sample, costs, best, believed) else believed


def _disproves(sample: CharsetSample, costs: dict[str, CharsetFit], best: str, believed: str) -> bool:
    """Tells whether a sample cannot be in the charset that is believed, as it is text in the best one."""
    if sample.size < MIN_PROOF or best in RARE or believed not in costs:
        return False
    ours, theirs = costs[best], costs[believed]
    gain = theirs.cost - ours.cost
    if ours.cost > READABLE[sample.is_dense]:
        return False
    return gain >= CLEARLY[sample.is_dense] or (
        ours.language == theirs.language and gain * sample.size >= ENOUGH
    )
