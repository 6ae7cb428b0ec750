"""Honest hosts among the hostile: a small site each, with a sitemap, that must be crawled completely."""

from tests.web.scripted import Answer, anchors, html, prose

PAGES = 12  # of each
ORIGINAL = "original"  # the host that has mirrors
HONEST = ("heron", "curlew", "plover", "avocet", "dunlin", ORIGINAL)
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PATHS = tuple(f"/{n}" if n else "/" for n in range(PAGES))


def honest_answer(name: str, here: str, path: str) -> Answer:
    """What an honest host says: pages in a tree, each with the word `name`word; 404 for the rest."""
    if path == "/robots.txt":
        return Answer(200, f"User-agent: *\nDisallow: /private/\nSitemap: {here}/sitemap.xml\n", PLAIN)
    if path == "/sitemap.xml":
        return Answer(200, sitemap([here + one for one in PATHS]), {"Content-Type": "application/xml"})
    return honest_page(name, path) if path in PATHS else Answer(404)


def honest_page(name: str, path: str) -> Answer:
    """A page of a tree."""
    number = PATHS.index(path)
    children = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
    return html(f"{name} {path}", f"<p>{name}word</p>{prose(name + path)}{anchors(children)}")


def sitemap(urls: list[str]) -> str:
    """A sitemap with these URLs."""
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<?xml version="1.0"?><urlset xmlns="{SPACE}">{entries}</urlset>'


PLAIN = {"Content-Type": "text/plain"}
