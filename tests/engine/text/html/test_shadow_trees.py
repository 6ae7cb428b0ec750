"""The text of web components is read where a browser shows it; other templates are not."""

import pytest

from engine.text.html import read_html
from engine.text.html.shadow_trees import MAX_TREES, PagePieces, flatten_shadow_trees

OPEN = "<template shadowrootmode=open>"
END = "</template>"


def text_of(body: str) -> str:
    """All that is read of a page, on one line."""
    page = read_html(f"<!DOCTYPE html>{body}".encode(), "https://h.example/", "text/html; charset=utf-8", [])
    texts = [text for section in page.sections for text in (section.heading, section.text)]
    return " ".join(" ".join([*texts, page.rest]).split())


READ = [
    (f"<x-a>{OPEN}one{END}</x-a>", "one", "of a custom element"),
    (f"<div>{OPEN}<p>one</p>{END}</div>", "one", "of an element that may have one"),
    (f"<x-a>{OPEN}a &lt;b&gt; &amp;amp; c{END}</x-a>", "a <b> &amp; c", "characters stay what they are"),
    (
        "<x-a><TEMPLATE SHADOWROOTMODE='Open' shadowrootdelegatesfocus>one</TEMPLATE></x-a>",
        "one",
        "its words are not case-sensitive",
    ),
    (f"<x-a>{OPEN}one{END}</x-a><x-a>{OPEN}two{END}</x-a>", "one two", "side by side"),
    (
        f"<x-a>{OPEN}one <slot></slot> three{END}two</x-a>",
        "one two three",
        "what is put into it has its place",
    ),
    (f"<x-a>{OPEN}<slot name=b></slot> <slot></slot>{END}two <b slot=b>one</b></x-a>", "one two", "by names"),
    (f"<x-a>{OPEN}one <slot>nothing</slot>{END}two</x-a>", "one two", "not what stands there for nothing"),
    (f"<x-a>{OPEN}one <slot name=b>two</slot>{END}</x-a>", "one two", "that, where nothing comes"),
    (
        f"<x-a>{OPEN}<slot></slot> <slot>two</slot>{END}one</x-a>",
        "one two",
        "of two of a name the first has it",
    ),
    (f"<x-a>{OPEN}one{END}<p>nowhere</p></x-a>", "one", "without a slot it is not shown"),
    (
        f"<x-a>{OPEN}one <x-b>{OPEN}two <slot></slot>{END}three</x-b>{END}</x-a>",
        "one two three",
        "a component of components",
    ),
    (
        f"<x-a>{OPEN}one <x-b>{OPEN}two <slot></slot> four{END}<slot></slot></x-b>{END}three</x-a>",
        "one two three four",
        "a slot in a slot",
    ),
    (
        f"<x-a>{OPEN}<x-b>{OPEN}<slot></slot> <slot name=d></slot>{END}<slot name=c slot=d></slot>one</x-b>"
        f"{END}<i slot=c>two</i></x-a>",
        "one two",
        "a slot for a slot, by names",
    ),
    (
        f"<x-a>{OPEN}one <slot></slot>{END}<x-b>{OPEN}two{END}</x-b></x-a>",
        "one two",
        "a component in its slot",
    ),
    (
        f"<x-a>{OPEN}<slot></slot>{END}<p>one</p><x-b>{OPEN}<slot></slot>{END}two</x-b></x-a>",
        "one two",
        "likewise, each with its slot",
    ),
    (
        f"<x-a>{OPEN}<style>p {{color: red}}</style><script>var two</script>one{END}</x-a>",
        "one",
        "no programs",
    ),
    (f"<x-a>{OPEN}one{END}{OPEN}two{END}</x-a>", "one", "of two the first is one"),
    (
        f"<main><h1>one</h1><x-a>{OPEN}<h2>two</h2><p>three</p>{END}</x-a></main>",
        "one two three",
        "in the main part",
    ),
    (
        "<x-a><template shadowrootmode=closed>one</template>two</x-a>",
        "two",
        "closed ones are for nobody else",
    ),
    ("<x-a><template>one</template>two</x-a>", "two", "a template that scripts may use"),
    ("<x-a><template shadowrootmode=wide>one</template>two</x-a>", "two", "another word"),
    (f"<ul>{OPEN}one{END}<li>two</ul>", "two", "an element that has none: browsers show nothing of it"),
    (f"<template><x-a>{OPEN}one{END}</x-a></template>two", "two", "in a template that is not shown"),
    (
        f"<x-a><template shadowrootmode=closed><x-b>{OPEN}one{END}</x-b></template></x-a>two",
        "two",
        "in a closed one",
    ),
    (f"<!-- <x-a>{OPEN}one{END}</x-a> -->two", "two", "in a comment"),
    (f"<script>'<x-a>{OPEN}one{END}</x-a>'</script>two", "two", "in a script"),
    (f"two<x-a>{OPEN}", "two", "nothing in it"),
    (f"<x-a>{OPEN}one", "one", "without an end"),
]


@pytest.mark.parametrize(("body", "text", "why"), READ)
def test_text_is_read_where_it_is_shown(body: str, text: str, why: str) -> None:
    assert text_of(body) == text, why


def test_links_and_headings_in_a_component_count() -> None:
    inside = "<h2 id=two>Two</h2><p>text</p><a href=/next>next</a>"
    body = f"<body><x-a>{OPEN}{inside}{END}</x-a>"
    page = read_html(body.encode(), "https://h.example/", "text/html", [])
    assert [link.url for link in page.links] == ["https://h.example/next"]
    assert ("Two", "two") in [(section.heading, section.fragment) for section in page.sections]


def test_a_page_without_shadow_trees_is_as_it_was() -> None:
    source = b"<p>one<template>two</template>"
    assert flatten_shadow_trees(source) is source


HOSTILE = [
    (f"<x-a>{OPEN}" * 9_000 + "one", "components in components"),
    (f"<x-a>{OPEN}<slot></slot>{END}" * 6_000 + "one", "components in the slots of components"),
    ("<template>" * 15_000 + "one", "templates in templates"),
    (f"<x-a>{OPEN}" + "<slot>" * 15_000 + f"{END}one", "slots in slots"),
    (f"<x-a>{OPEN}" + "<slot name=b></slot>" * 5_000 + END + "<b slot=b>x</b>" * 5_000, "slots of one name"),
    (f"<x-a>{OPEN}x<slot></slot>{END}y</x-a>" * (MAX_TREES + 9), "more than are read"),
    (
        f"<x-a>{OPEN}\ufdd00\ufdd0\ufdd01\ufdd0\ufdd0{'9' * 5_000}\ufdd0<slot></slot>{END}\ufdd00\ufdd0",
        "marks of ours, as a page may write them",
    ),
    (f"<x-a>{OPEN}&#xfdd0;0&#xfdd0;{END}</x-a>", "likewise"),
]


@pytest.mark.parametrize(("body", "why"), HOSTILE)
def test_hostile_pages_are_no_larger_than_they_were(body: str, why: str) -> None:
    flat = flatten_shadow_trees(body.encode())
    assert len(flat) <= 2 * len(body.encode()) + 200, why
    text_of(body)


def test_a_piece_is_put_back_once() -> None:
    """Else a page of a kilobyte could be written that has a gigabyte."""
    pieces = PagePieces()
    mark = pieces.add("a")
    again = pieces.add(mark * 3)
    assert pieces.join(again + mark + again) == "a"
