"""Feeds: which items each form names, when they appeared, and how often the feed changes."""

from datetime import UTC, datetime

import pytest

from engine.robots import read_sitemap

URL = "http://h.example/feed"
DAY = datetime(2024, 5, 1, 10, tzinfo=UTC)
DC = "http://purl.org/dc/elements/1.1/"
ATOM = "http://www.w3.org/2005/Atom"
RSS_1, SYNTAX = "http://purl.org/rss/1.0/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF = f"<rdf:RDF xmlns:rdf='{SYNTAX}' xmlns='{RSS_1}'>"
LINK = "<link>http://h.example/a</link>"
HREF = "<link href='http://h.example/a'/>"
DATE = "<dc:date>2024-05-01T10:00:00Z</dc:date>"


def rss(item: str, attributes: str = "") -> str:
    return f"<rss {attributes}><channel><title>T</title><item>{item}</item></channel></rss>"


def atom(entry: str, namespace: str = ATOM) -> str:
    return f"<feed xmlns='{namespace}'><title>T</title><entry>{entry}</entry></feed>"


ITEMS = [
    (rss(f"{LINK}<pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate>"), DAY, DAY, "RSS 2.0"),
    (rss(f"{LINK}{DATE}", f"xmlns:dc='{DC}'"), DAY, DAY, "RSS 2.0, with Dublin Core's date"),
    (rss(f"{LINK}{DATE}"), DAY, DAY, "that not declared, as many a site has it"),
    (rss(f"{LINK}{DATE.replace('dc:', 'd:')}", f"xmlns:d='{DC}'"), DAY, DAY, "that by another prefix"),
    (rss(LINK, "version='0.91'"), None, None, "RSS 0.91: no dates"),
    (rss("<guid>http://h.example/a</guid>"), None, None, "an address that is its guid"),
    (
        rss(f"{LINK}<b:c><link>http://h.example/b</link></b:c>"),
        None,
        None,
        "what is inside is not the item's",
    ),
    (
        f"{RDF}<channel><link>http://h.example/</link></channel><item>{LINK}{DATE}</item></rdf:RDF>",
        DAY,
        DAY,
        "RSS 1.0: items beside their channel",
    ),
    (f"<RDF><item>{LINK}</item></RDF>", None, None, "RSS 1.0 without namespaces"),
    (
        f"<r:RDF xmlns:r='{SYNTAX}' xmlns:s='{RSS_1}'><s:item>{LINK.replace('link', 's:link')}</s:item>"
        "</r:RDF>",
        None,
        None,
        "RSS 1.0, all with prefixes",
    ),
    (atom(f"{HREF}<updated>2024-05-01T10:00:00Z</updated>"), DAY, None, "Atom: when it appeared is not said"),
    (
        atom(f"<published>2024-05-01T10:00:00Z</published><updated>2024-05-02T10:00:00Z</updated>{HREF}"),
        DAY.replace(day=2),
        DAY,
        "Atom: appeared and changed",
    ),
    (
        atom(f"{HREF}<issued>2024-05-01T10:00:00Z</issued>", "http://purl.org/atom/ns#"),
        DAY,
        DAY,
        "Atom 0.3",
    ),
    (atom(f"<link rel='edit' href='http://h.example/e'/>{HREF}"), None, None, "Atom: not where it is edited"),
]


@pytest.mark.parametrize(("text", "changed", "appeared", "why"), ITEMS, ids=[why for *_, why in ITEMS])
def test_an_item(text: str, changed: datetime | None, appeared: datetime | None, why: str) -> None:
    feed = read_sitemap(text.encode(), URL, scope="any")
    found = [(one.loc, one.lastmod, one.published) for one in feed.entries]
    assert found == [("http://h.example/a", changed, appeared)], why
    assert not feed.warnings, why


MINUTE, HOUR, DAILY = 60.0, 3_600.0, 86_400.0
RHYTHMS = [
    ("<rss><channel><ttl>60</ttl>{}</channel></rss>", HOUR, "RSS 2.0's ttl, in minutes"),
    ("<rss><channel>{}<ttl> 5 </ttl></channel></rss>", 5 * MINUTE, "behind the items, with blanks"),
    ("<rss><channel><ttl>soon</ttl>{}</channel></rss>", None, "no number"),
    ("<rss><channel><ttl>-5</ttl>{}</channel></rss>", None, "less than nothing"),
    ("<rss><channel><ttl>999999999999999999999</ttl>{}</channel></rss>", 365 * DAILY, "a year at most"),
    ("<rss><channel><ttl>\u0665</ttl>{}</channel></rss>", None, "digits of another script"),
    ("<rss><channel><sy:updatePeriod>hourly</sy:updatePeriod>{}</channel></rss>", HOUR, "once an hour"),
    (
        "<rss><channel><sy:updatePeriod> Daily\n</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>"
        "{}</channel></rss>",
        DAILY / 4,
        "four times a day",
    ),
    (
        "<rss><channel><sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>"
        "{}</channel></rss>",
        DAILY,
        "no time a day",
    ),
    (
        "<rss><channel><sy:updatePeriod>never</sy:updatePeriod>{}</channel></rss>",
        None,
        "no period of the module's",
    ),
    (RDF + "<channel><sy:updatePeriod>weekly</sy:updatePeriod></channel>{}</rdf:RDF>", 7 * DAILY, "RSS 1.0"),
    ("<rss><channel><image><ttl>5</ttl></image>{}</channel></rss>", 5 * MINUTE, "inside the channel's image"),
    ("<rss><channel>{}</channel></rss>", None, "nothing said"),
]


@pytest.mark.parametrize(("text", "seconds", "why"), RHYTHMS, ids=[why for *_, why in RHYTHMS])
def test_how_often_a_feed_changes(text: str, seconds: float | None, why: str) -> None:
    feed = read_sitemap(text.format(f"<item>{LINK}</item>").encode(), URL, scope="any")
    assert (feed.every, len(feed.entries)) == (seconds, 1), why


LISTS = [
    ("<outline xmlUrl='http://a.example/feed'/>", ["http://a.example/feed"], "one feed"),
    (
        "<outline text='Friends'><outline text='A' type='rss' xmlUrl='http://a.example/feed'/>"
        "<outline><outline xmlUrl='http://b.example/feed' htmlUrl='http://b.example/'/></outline></outline>",
        ["http://a.example/feed", "http://b.example/feed"],
        "feeds in folders, in folders",
    ),
    ("<outline xmlurl=' http://a.example/feed '/>", ["http://a.example/feed"], "lower case, and blanks"),
    ("<outline text='Note' htmlUrl='http://a.example/'/>", [], "a line that is no feed"),
    ("<outline xmlUrl='feed.xml'/>", [], "a relative address: relative to whom?"),
    ("<outline xmlUrl='javascript:alert(1)'/>", [], "no http"),
]


@pytest.mark.parametrize(("inside", "feeds", "why"), LISTS, ids=[why for *_, why in LISTS])
def test_a_list_of_feeds(inside: str, feeds: list[str], why: str) -> None:
    text = (
        f"<?xml version='1.0'?><opml version='2.0'><head><title>T</title></head><body>{inside}</body></opml>"
    )
    found = read_sitemap(text.encode(), URL, scope="any")
    assert ([one.loc for one in found.sitemaps], found.entries) == (feeds, ()), why
    assert bool(found.warnings) is not bool(feeds), why


def test_a_list_of_feeds_without_end() -> None:
    deep = "<outline>" * 10_000
    found = read_sitemap(f"<opml><body>{deep}".encode(), URL, scope="any")
    assert any("elements inside each other" in warning for warning in found.warnings)
