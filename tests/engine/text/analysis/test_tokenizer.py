"""Compounds are found whole and in parts: what programmers and authors write."""

import pytest

from engine.text.analysis.analyzer import analyse
from engine.text.analysis.tokenizer import MAX_PARTS, tokenize_chunk

WORDS = [
    ("e-mail well-known", "e email|mail|well wellknown|known", "hyphens"),
    (
        "e\u2011mail 1939–1945",
        "e email|mail|1939 1939-1945|1945",
        "in print: a hyphen that does not break, a dash",
    ),
    ("a \u2014 b", "a|b", "a dash between words"),
    ("foo_bar __init__", "foo foobar|bar|init __init__", "identifiers"),
    ("_private trailing_ ____", "private|trailing", "lines beside a word"),
    (
        "asyncio.Queue.put_nowait()",
        "asyncio asyncioqueueputnowait|queue|put putnowait|nowait",
        "elements, too",
    ),
    ("std::vector<int>", "std stdvector|vector|int", "scopes"),
    ("Queue.__init__", "queue queueinit|init __init__", "a method by its name"),
    ("camelCase CamelCase", "camelcase ~camel|~case|camelcase ~camel|~case", "case parts what is akin"),
    ("XMLHttpRequest HTTPServer", "xmlhttprequest ~xml|~http|~request|httpserver ~http|~server", "acronyms"),
    ("get_itemAt", "get getitemat|itemat ~item|~at", "both"),
    ("URLs IPv6x iPhone McX OAuth", "urls|ipv6x|iphone|mcx|oauth", "no part has a single letter"),
    ("ＣａｍｅｌＣａｓｅ", "camelcase", "case of letters beyond ASCII shows nothing"),
    ("python3 utf8 UTF-8", "python3 ~python|~3|utf8 ~utf|~8|utf utf8|8", "a number behind a name"),
    ("x86 3d a3f9c0", "x86|3d|a3f9c0", "a letter and a number are no name"),
    ("3.11 v1.2.3 1.0", "3 3.11|11|1 1.2.3|2|3|1 1.0|0", "versions, their v left out"),
    ("v8 ver", "v8|ver", "a name that begins with v"),
    ("10,000 3,14 12:30 a:b a,b", "10 10000|000|3 3,14|14|12 12:30|30|a|b|a|b", "numbers"),
    ("2024-01-31", "2024 2024-01-31|01|31", "a date is not the number 20240131"),
    ("C++ c++11 notepad++", "c++ ~c|c++ ~c|11|notepad++ ~notepad", "signs that are part of a name"),
    ("C# F#. C#x Install# a+b i+++", "c# ~c|f# ~f|c|x|install|a|b|i", "a sign behind one letter"),
    (".NET (.htaccess) ...so x().y", "net .net|htaccess .htaccess|so|x|y .y", "a dot before a name"),
    ("\u201c.NET\u201d x\u2014.so", "net .net|x|so .so", "and in print"),
    ("--no-cache -v", "no nocache|cache|v", "options"),
    ("AT&T R&D", "at at&t|t|r r&d|d", "an ampersand is said"),
    ("jo.doe@a.example", "jo jodoeaexample|doe|a|example", "an address"),
    ("TCP/IP and/or", "tcp|ip|and|or", "a slash parts"),
    ("don't DON’T", "don't ~dont|don't ~dont", "not"),
    ("we're I'll", "we we're|re|i i'll|ll", "other contractions: they were ill is another thing"),
    ("queen's James'", "queen ~queens|james", "a possessive"),
    ("o'neill O’Neill", "o oneill|neill|o oneill|neill", "a name, in either apostrophe"),
    ("l'homme L’Aquila", "homme ~lhomme|aquila ~laquila", "an article"),
    ("x_l'homme", "x xlhomme|homme ~lhomme", "an article inside of a compound, which begins with x and l"),
    ("d'aujourd'hui", "aujourd aujourdhui ~daujourd|hui", "only the first is one"),
    ("dell'arte", "arte ~dellarte", "Italian"),
    ("col·laborar l'Hospitalet", "col collaborar|laborar|hospitalet ~lhospitalet", "Catalan"),
    ("Ankara'da Türkiye’nin", "ankara ~ankarada|türkiye ~türkiyenin ~turkiye", "Turkish endings"),
    ("п'ять", "п пять|ять", "an apostrophe inside of a Ukrainian word"),
    ("می\u200cخواهم می\u200c\u200cرود", "می میخواهم|خواهم|می میرود|رود", "Persian joints, doubled too"),
    ("क\u200cष র\u200d্য", "कष|র্য", "elsewhere joiners only shape letters"),
    ("מנכ״ל", "מנכ מנכל|ל", "gershayim"),
    ("utf8中JavaScript", "utf8 ~utf|~8|中|javascript", "case tells nothing beside letters without spaces"),
    ("中文.net", "中文 ~中 ~文|net .net", "a stretch of its own"),
    ("ab\u200bcd", "ab|cd", "a space of no width"),
    ("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q", "too many parts for a whole"),
]


@pytest.mark.requirement(291)
@pytest.mark.parametrize(("text", "terms", "why"), WORDS, ids=range(len(WORDS)))
def test_words_and_their_parts(text: str, terms: str, why: str) -> None:
    """Each word leads to the text. Parted by bars: one position each."""
    assert "|".join(" ".join(place) for place in analyse(text, "xx")) == terms, why


def test_a_compound_has_few_parts_or_no_whole() -> None:
    for parts in (MAX_PARTS, MAX_PARTS + 1):
        (compound,) = tokenize_chunk(".".join(["xy"] * parts))
        assert len(compound.slots) == parts
        assert bool(compound.wholes) == (parts <= MAX_PARTS)


FOUND = [
    ("put_nowait", "put-nowait", "joined in another way"),
    ("maxAge", "max_age", "an identifier of another language"),
    ("UTF-8", "utf8", "or not joined at all"),
    ("wi-fi", "WiFi", "a trade mark"),
    ("1.2.3", "v1.2.3", "a tag is its version"),
    ("10000", "10,000", "groups of thousands"),
    ("میخواهم", "می\u200cخواهم", "a joint and none"),
]


@pytest.mark.requirement(297)
@pytest.mark.parametrize(("one", "other", "why"), FOUND, ids=range(len(FOUND)))
def test_a_whole_is_one_term_however_it_is_joined(one: str, other: str, why: str) -> None:
    assert {*analyse(one, "")[0]} & {*analyse(other, "")[0]}, why
