"""HTTP as any client has to speak it: old and odd servers, hosts behind one address, what answers mean."""

from pathlib import Path

import pytest

from tests.crawling import states
from tests.running import ask, crawl, serving
from tests.web.scripted import Answer, Request, Route, Site, anchors, html, scripted_web

PAGE = "<!DOCTYPE html><html><title>T</title><body><main><p>{}</p></main></body></html>"
PARTS = (PAGE.format("chunky")[:20], PAGE.format("chunky")[20:])
CHUNKS = "".join(f"{len(part):x}\r\n{part}\r\n" for part in PARTS)
RAW = [
    (
        "old",
        "HTTP/1.0 200 OK\r\n\r\n" + PAGE.format("ancient"),
        "requirement 75: no length, no type, hangs up",
    ),
    (
        "typed",
        "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE.format("typical"),
        "requirement 75",
    ),
    (
        "chunked",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
        + CHUNKS
        + "0\r\n\r\n",
        "requirement 65: RFC 9112, 7.1",
    ),
    (
        "dated",
        'HTTP/1.1 200 OK\r\nDate: yesterday\r\nWarning: 199 - "odd"\r\nX-Nonsense: \x80\xff\r\nServer:\r\n'
        "Content-Type: text/html\r\nPragma: \r\n\r\n" + PAGE.format("tolerated"),
        "requirement 72: plain headers, well or badly written",
    ),
    (
        "wordless",
        "HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n" + PAGE.format("speechless"),
        "RFC 9112, 4: no reason phrase",
    ),
]
STATUSES = [
    (200, "stored", "requirement 77: read"),
    (299, "stored", "requirement 78: as 200"),
    (404, "gone", "requirement 77: not indexed"),
    (410, "gone", "requirement 77: not indexed"),
    (403, "failed", "requirement 76: refused"),
    (451, "failed", "requirement 76: unavailable for legal reasons"),
    (499, "failed", "requirement 78: as 400"),
]


@pytest.mark.requirement(65, 72, 75)
def test_servers_of_all_ages(tmp_path: Path) -> None:
    routes: dict[str, Route] = {"/": html("Start", anchors(f"/{name}" for name, _, _ in RAW))}
    routes |= {f"/{name}": Answer(raw=answer.encode("latin-1")) for name, answer, _ in RAW}
    with scripted_web(routes) as site:
        crawl(tmp_path, site.url("/"))
        known = states(tmp_path)
        for name, _, why in RAW:
            assert known[site.url(f"/{name}")][0] == "stored", why
        assert all(request.headers["host"] == f"127.0.0.1:{site.port}" for request in site.log)


@pytest.mark.slow
@pytest.mark.requirement(76, 77, 78)
def test_statuses(tmp_path: Path) -> None:
    """Every class has its meaning."""
    routes: dict[str, Route] = {"/": html("Start", anchors(f"/{status}" for status, _, _ in STATUSES))}
    for status, _, _ in STATUSES:
        routes[f"/{status}"] = html(f"S {status}", f"<p>{status} text</p>", status=status)
    with scripted_web(routes) as site:
        crawl(tmp_path, site.url("/"))
        known = states(tmp_path)
    for status, state, why in STATUSES:
        assert known[site.url(f"/{status}")][0] == state, why


class VirtualHosts(Site):
    """One address and port that answers by the Host header, as most of the web does."""

    def answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt":
            return html("", status=404)
        name = request.headers.get("host", "nobody").partition(":")[0]
        return html(name, f"<p>this is the host called {name.replace('.', 'x')}</p>")


@pytest.mark.slow
@pytest.mark.requirement(71)
def test_two_hosts_behind_one_address(tmp_path: Path) -> None:
    """Each has its own content, stored under its own name."""
    with VirtualHosts({}) as site:
        crawl(tmp_path, site.url("/"), f"http://localhost:{site.port}/")
        with serving(tmp_path) as address:
            found = {words: ask(address, words)["hits"] for words in ("127x0x0x1", "localhost")}
    assert [hit["url"] for hit in found["127x0x0x1"]] == [site.url("/")]
    assert [hit["url"] for hit in found["localhost"]] == [f"http://localhost:{site.port}/"]


@pytest.mark.slow
@pytest.mark.requirement(3, 19)
def test_a_page_of_scripts_is_read_as_its_html(tmp_path: Path) -> None:
    """Nothing is run, nothing but pages is fetched."""
    script = "<script>document.write('<a href=/written>quagga</a>')</script><noscript>plain zebra</noscript>"
    body = f"<p>static okapi</p>{script}<img src=/i.png><video src=/v.mp4></video><a href=/next>next</a>"
    with scripted_web({"/": html("Start", body), "/next": html("Next", "<p>next</p>")}) as site:
        crawl(tmp_path, site.url("/"))
        assert set(site.paths) == {"/robots.txt", "/sitemap.xml", "/", "/next"}
        with serving(tmp_path) as address:
            assert [ask(address, words)["total"] for words in ("okapi", "quagga")] == [1, 0]


@pytest.mark.slow
@pytest.mark.requirement(4, 5)
@pytest.mark.parametrize(
    ("seeds", "found", "why"),
    [
        ([0], {"a", "b"}, "requirement 5: nothing leads to S"),
        ([0, 1], {"a", "b", "s"}, "requirements 4, 5: as a root it is found"),
    ],
)
def test_isolated_pages_need_a_root(tmp_path: Path, seeds: list[int], found: set[str], why: str) -> None:
    routes: dict[str, Route] = {
        "/a": html("A", '<a href="/b">b</a>'),
        "/b": html("B", "b"),
        "/s": html("S", "s"),
    }
    with scripted_web(routes) as site:
        roots = [site.url("/a"), site.url("/s")]
        crawl(tmp_path, *(roots[seed] for seed in seeds))
        assert {path[1:] for path in site.paths} - {"robots.txt", "sitemap.xml"} == found, why
