"""What spammers do, and where it gets them: an honest page stays before theirs."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.model.page import Link, Page, Section
from engine.search.search import SearchService
from engine.text.documents.documents import read_document
from tests.engine.index.source import Memory, page
from tests.engine.search.test_search import found, urls

HONEST = page(
    "http://honest.example/kauri",
    "The kauri is a tree of the north. Old kauri forests are protected, and a kauri lives for ages.",
    title="The kauri tree",
    language="en",
)
SPAM = "http://spam-site.com/"
PLAIN = page(SPAM, "We sell cheap watches, and have done so for years.", title="Watches", language="en")
OTHERS = [page(f"http://{n}.example/", "A page about rooms and what they are made of.") for n in range(12)]
SAME = replace(HONEST, url=SPAM, title="The kauri tree, for sale")
OF_ONE_HOST = ["spam-site.com"] * 50
OF_ONE_DOMAIN = [f"h{n}.spam-site.com" for n in range(50)]
ANOTHER_DOMAIN = [f"h{n}.spam-farm.com" for n in range(50)]
MIXED = " ".join("kauri" if n % 5 == 0 else f"w{n}" for n in range(1_000))


def voters(number: int, url: str, anchor: str = "kauri") -> list[Page]:
    """Sites of one page each, which link there."""
    return [
        page(f"http://reader{n}.example/", "I like it.", links=[Link(url, anchor)]) for n in range(number)
    ]


READERS = voters(3, HONEST.url)


def farm(hosts: Sequence[str], anchor: Callable[[int], str] = lambda n: "kauri") -> list[Page]:
    """Pages that are there to link to the spam page, and to each other."""
    addresses = [f"http://{host}/{n}" for n, host in enumerate(hosts)]
    links = [Link(url, "kauri") for url in addresses]
    return [
        page(url, f"Number {n} of many.", links=[Link(SPAM, anchor(n)), *links])
        for n, url in enumerate(addresses)
    ]


def doorways(hosts: Sequence[str]) -> list[Page]:
    """Pages made from one pattern, each with the word where it counts."""
    return [
        page(
            f"http://{host}/kauri/{n}",
            f"Buy kauri number {n} here. Our kauri is cheap: a kauri for {n} dollars. Call now.",
            title=f"Kauri {n}",
            links=[Link(SPAM, "kauri")],
            language="en",
        )
        for n, host in enumerate(hosts)
    ]


def repeated(number: int) -> Callable[[int], str]:
    """Words of links that are a list."""
    return lambda n: f"{'kauri ' * number}{n}"


SPAMMED = [
    ([replace(PLAIN, keywords="kauri, " * 300)], "a list of keywords: requirement 303"),
    ([replace(PLAIN, keywords="kauri, " * 19)], "a short list of keywords: requirement 303"),
    ([replace(PLAIN, description="kauri " * 300)], "a description that is a list"),
    ([replace(PLAIN, description="kauri " * 19)], "a description that is a short list"),
    ([replace(PLAIN, title="kauri " * 200)], "a title that is a list: requirement 302"),
    ([replace(PLAIN, title="kauri " * 19)], "a title that is a short list: requirement 302"),
    ([replace(PLAIN, sections=(Section("kauri", "", "cheap"),) * 50)], "headings that are a list"),
    ([replace(PLAIN, sections=(Section("kauri", "", "cheap"),) * 19)], "headings that are a short list"),
    ([replace(PLAIN, url=f"{SPAM}{'kauri/' * 60}")], "an address that is a list"),
    ([replace(PLAIN, url="http://kauri-kauri-kauri.com/kauri-kauri")], "a host's name that is one"),
    ([page(SPAM, "kauri " * 1_000)], "repetition: requirement 302"),
    ([page(SPAM, "kauri " * 20, title="kauri")], "repetition, just not too much: requirement 302"),
    ([page(SPAM, MIXED, title="kauri")], "each fifth word of a long text: requirement 302"),
    ([page(SPAM, f"{PLAIN.sections[0].text}\n{'kauri ' * 1_000}", title="kauri")], "repetition under a text"),
    (
        [replace(PLAIN, url=f"{SPAM}kauri/kauri-{n}", title="kauri " * 9) for n in range(50)],
        "the word again and again in the addresses and titles of many pages",
    ),
    (doorways(OF_ONE_HOST), "doorways of one host: requirement 304"),
    (doorways(OF_ONE_DOMAIN), "doorways, each on a host of its own: requirement 304"),
    ([SAME, *doorways(ANOTHER_DOMAIN)], "doorways to a copy: requirement 304"),
    ([SAME, *farm(OF_ONE_HOST)], "generated pages of one host: requirement 304"),
    ([SAME, *farm(OF_ONE_DOMAIN)], "hosts of one registrable domain: requirement 304"),
    ([SAME, *farm(ANOTHER_DOMAIN)], "hosts of another registrable domain: requirement 304"),
    ([PLAIN, *farm(OF_ONE_HOST, repeated(30))], "links of one host whose words are a list: requirement 304"),
    ([SAME, *farm(ANOTHER_DOMAIN, repeated(30))], "links of another domain, likewise: requirement 304"),
    ([replace(PLAIN, rest="kauri " * 200)], "a footer that is a list: requirement 308"),
]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is found for the word before anybody spams."""
    return urls(found(tmp_path_factory.mktemp("before"), [HONEST, PLAIN, *OTHERS, *READERS], "kauri"))


@pytest.mark.requirement(302, 303, 304, 308)
@pytest.mark.parametrize(("spam", "why"), SPAMMED, ids=[why for _, why in SPAMMED])
def test_an_honest_page_stays_first(tmp_path: Path, before: list[str], spam: list[Page], why: str) -> None:
    """Of a few readers; the spam page was not found for the word, and is found now, after it."""
    assert before == [HONEST.url]
    after = urls(found(tmp_path, [HONEST, *spam, *OTHERS, *READERS], "kauri"))
    assert after[0] == HONEST.url, why
    assert len(after) > 1, "it does something"


UNSEEN = [
    ("<div style='display:none'>{}</div>", "not drawn"),
    ("<div hidden>{}</div>", "not drawn, in one word"),
    ("<div style='visibility:hidden'>{}</div>", "room without words"),
    ("<div style='opacity:0'>{}</div>", "transparent"),
    ("<div style='font-size:0'>{}</div>", "letters of no size"),
    ("<div style='font-size:1px'>{}</div>", "letters that nobody can read"),
    ("<div style='color:#fff;background:white'>{}</div>", "white on white"),
    ("<div style='position:absolute;left:-9999px'>{}</div>", "beside the screen"),
    ("<div style='text-indent:-9999px'>{}</div>", "beside the screen, the other way"),
    ("<div style='height:0;overflow:hidden'>{}</div>", "in a box of no height"),
    ("<div style='position:absolute;clip:rect(0,0,0,0)'>{}</div>", "cut away"),
    ("<h1 style='display:none'>{}</h1>", "a heading would count double"),
    ("<noscript>{}</noscript>", "for browsers without scripts"),
    ("<template>{}</template>", "what a script might show"),
    ("<!-- {} -->", "a comment"),
]


@pytest.mark.requirement(302)
@pytest.mark.parametrize(("html", "why"), UNSEEN, ids=[why for _, why in UNSEEN])
def test_what_nobody_sees_is_not_found(html: str, why: str) -> None:
    """As the index reads pages, the word is not in it. In view it is."""
    for hidden, text in ((True, html), (False, "<div>{}</div>")):
        body = f"<html><body><p>{PLAIN.text}</p>{text.format('kauri is said here ' * 3)}</body></html>"
        one = read_document(body.encode(), SPAM, "text/html; charset=utf-8", ())
        said = " ".join((one.title, one.description, one.text, one.rest))
        assert ("kauri" not in said) is hidden, why
        assert "watches" in said, why


VOTED = [
    (ANOTHER_DOMAIN, 2, "two sites against a farm of fifty hosts"),
    (["spam-farm.com"] * 50, 7, "seven sites against fifty pages of one host"),
    (ANOTHER_DOMAIN, 7, "seven sites against fifty hosts of one domain"),
    (["spam-farm.com"] * 150, 10, "ten sites against a farm three times as large"),
    (OF_ONE_HOST, 2, "its own pages are no more than a site's menu"),
]


@pytest.mark.slow
@pytest.mark.requirement(304)
@pytest.mark.parametrize(("hosts", "number", "why"), VOTED, ids=[why for *_, why in VOTED])
def test_a_farm_of_one_domain_is_one_voter(tmp_path: Path, hosts: list[str], number: int, why: str) -> None:
    """Two pages, else equal: the farm's is first until sites of a page each link to the other."""
    tree = "http://tree.example/"
    pages = [replace(HONEST, url=SPAM), replace(HONEST, url=tree), *farm(hosts), *OTHERS]
    assert urls(found(tmp_path / "before", pages, "kauri"))[0] == SPAM
    assert urls(found(tmp_path / "after", [*pages, *voters(number, tree)], "kauri"))[0] == tree, why


@pytest.mark.requirement(301)
def test_a_link_on_every_page_of_a_site_says_no_more_than_one(tmp_path: Path) -> None:
    """A footer's link against two sites that link once: as a template says one thing, not many."""
    footer, chosen = replace(HONEST, url="http://footer.example/"), replace(HONEST, url="http://two.example/")
    pages = [
        page(f"http://big.example/{n}", f"Page {n}.", links=[Link(footer.url, "kauri")]) for n in range(200)
    ]
    assert urls(found(tmp_path, [footer, chosen, *pages, *voters(2, chosen.url), *OTHERS], "kauri"))[:2] == [
        chosen.url,
        footer.url,
    ]


TITLE = HONEST.title
SHOP = "<p>We sell cheap watches, and have done so for years. Come and see our shop in town.</p>"
TITLED = replace(PLAIN, title=TITLE)
FORMS = [f"kauri {word}" for word in ("tree", "trees", "wood", "woods", "gum", "forest", "forests", "timber")]


def shop(body: str, head: str = "") -> Page:
    """A page of spam as it is read, with the honest page's title."""
    html = f"<html lang=en><head><title>{TITLE}</title>{head}</head><body>{SHOP}{body}</body></html>"
    return read_document(html.encode(), SPAM, "text/html; charset=utf-8", ())


def meta(name: str, content: str) -> str:
    return f"<meta name={name} content='{content}'>"


def commented(number: int) -> Page:
    """An article of one of many blogs, as it is read, with a comment that links to the spam page."""
    comment = f"<div class=comments><p>Nice. <a href='{SPAM}'>kauri tree</a></div>"
    html = f"<title>Bread</title><article>{'<p>Bread is made of flour and water.' * 9}</article>{comment}"
    return read_document(html.encode(), f"http://blog{number}.com/bread", "text/html; charset=utf-8", ())


LIKE_TITLED = [
    ([page(SPAM, "kauri " * 5_000, title=TITLE)], "a word 5,000 times"),
    ([page(SPAM, f"{PLAIN.text}\n{'kauri ' * 5_000}", title=TITLE)], "below a text"),
    ([page(SPAM, "the kauri tree " * 1_000, title=TITLE)], "the whole query 1,000 times"),
    ([page(SPAM, MIXED, title=TITLE)], "each fifth word"),
    ([page(SPAM, " ".join(MIXED.split()[:95]), title=TITLE)], "each fifth word of a short text"),
    ([page(SPAM, "kauri tree " * 8, title=TITLE)], "a short list"),
    ([page(SPAM, "kauri tree", title=TITLE)], "nothing but the query"),
    ([replace(PLAIN, title="kauri tree " * 6)], "a title that repeats the query"),
    ([replace(TITLED, sections=(Section(TITLE, "", "cheap watches"),) * 30)], "headings"),
    ([shop("<h1>kauri tree</h1>" * 100)], "first headings"),
    ([replace(TITLED, url=f"{SPAM}{'kauri/tree/' * 15}")], "an address"),
    ([shop("<img alt='kauri kauri tree' src=x.png>" * 300)], "texts of pictures"),
    ([shop(f"<a href='{SPAM}x'><img alt='kauri tree' src=x.png></a>" * 300)], "pictures that are links"),
    ([shop("", meta("description", "kauri tree " * 90))], "a description"),
    ([shop("", meta("keywords", "kauri, tree, " * 90))], "keywords"),
    ([shop(f"<div style='display:none'>{'kauri tree ' * 2_000}</div>")], "what nobody sees"),
    ([shop(f"<div hidden>{'kauri tree ' * 2_000}</div>")], "what nobody sees, in one word"),
    ([shop(f"<p>{' '.join(FORMS * 50)}</p>")], "all that people may ask for"),
    ([replace(HONEST, url=SPAM, sections=(Section("", "", f"{HONEST.text}{' kauri tree' * 9}"),))], "a copy"),
    ([replace(SAME, sections=(Section("", "", f"{HONEST.text} Buy kauri watches."),))], "a copy that sells"),
    (doorways([f"kauri{n}.com" for n in range(50)]), "doorways, each on a domain of its own"),
    ([TITLED, *[page(f"http://blog.com/{n}", "A post", links=[Link(SPAM, "kauri tree")]) for n in range(9)]],
     "comments below all articles of a blog"),
    ([TITLED, *map(commented, range(9))], "comments on many blogs, none of which says that they are"),
    ([page(SPAM, "This domain is for sale. kauri tree kauri. Buy it now.", title=TITLE)], "a parked domain"),
    ([replace(TITLED, rest="kauri tree " * 500)], "a footer"),
]  # fmt: skip


@pytest.mark.parametrize("query", ["kauri", "kauri tree"])
@pytest.mark.parametrize(("spam", "why"), LIKE_TITLED, ids=[why for _, why in LIKE_TITLED])
def test_an_honest_page_comes_before_spam_of_its_title(
    tmp_path: Path, spam: list[Page], why: str, query: str
) -> None:
    """Three owners link to it; the spam page is called like it."""
    assert urls(found(tmp_path, [HONEST, *spam, *OTHERS, *READERS], query))[0] == HONEST.url, why


@pytest.mark.requirement(304)
@pytest.mark.parametrize("query", ["kauri", "kauri tree"])
def test_a_farm_of_many_domains_on_one_machine_is_one_voter(tmp_path: Path, query: str) -> None:
    """Fifty registered domains, which link to each other and to a copy, against three readers elsewhere."""
    domains = farm([f"farm{n}.com" for n in range(50)], lambda n: "kauri tree")
    memory = Memory(
        *(HONEST, replace(SAME, title=TITLE), *domains, *OTHERS, *READERS),
        machine_of=lambda url: "198.51.100.7" if url == SPAM or "farm" in url else "",
    )
    Follower(memory, tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert urls(search.search(query))[0] == HONEST.url
