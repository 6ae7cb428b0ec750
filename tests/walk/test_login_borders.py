"""Only the host of a login gets anything of it: by the logs of others, over TLS, by a proxy."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.certificates import Authority, Files
from tests.crawling import states
from tests.running import command, crawl, run_apart, scrapy
from tests.walk.logins import (
    PATHS,
    SECRET,
    TOKEN,
    of_basic,
    of_bearer,
    of_cookies,
    of_form,
    stored,
    write_toml,
)
from tests.walk.test_login_secrets import find
from tests.walk.test_logins import alarms
from tests.web.private import (
    USER,
    FormSite,
    ForwardProxy,
    PrivateSite,
    by_basic,
    link_page,
    private_pages,
)
from tests.web.scripted import Answer, Site, pages

pytestmark = pytest.mark.slow
UNANSWERED = 3  # the exit code where half of the seeds' hosts gave no answer


def sent_secrets(site: Site) -> list[str]:
    """What others must not get, as far as this site has got it."""
    found = []
    for request in list(site.log):
        found += [name for name in ("authorization", "cookie") if name in request.headers]
        found += [request.path] if "canary" in request.path or "canary" in request.body.decode() else []
    return found


@contextmanager
def two_sites(folder: Path, kind: str) -> Iterator[tuple[Site, Site]]:
    """A private site that links and redirects to another, whose robots.txt and pages lead back."""
    other = Site({})
    with other:
        elsewhere = {
            name: Answer(302, headers={"Location": other.url(f"/{name}")}) for name in ("to1", "to2")
        }
        routes = {**private_pages(3, ["/to1", "/to2", other.url("/linked")])}
        routes |= {f"/{name}": answer for name, answer in elsewhere.items()}
        routes["/robots.txt"] = Answer(200, "Sitemap: /logout\n", {"Content-Type": "text/plain"})
        site = FormSite(routes, SECRET) if kind == "form" else PrivateSite(routes, lambda _: True)
        with site:
            back = [
                site.url(path) for path in ("/login", "/logout", "/login?user=x", "/a/../login", "/page1")
            ]
            other.routes.update(pages({f"/{name}": [] for name in ("to1", "to2", "linked")}))
            other.routes["/"] = link_page(*back)
            if kind != "form":  # whose site would send a stranger to its form
                other.routes["/robots.txt"] = Answer(302, headers={"Location": site.url("/robots.txt")})
            toml = {"form": of_form, "basic": of_basic, "bearer": of_bearer, "cookies": of_cookies}[kind]
            write_toml(folder, site, toml(folder, site))
            yield site, other


@pytest.mark.parametrize("kind", ["basic", "bearer", "cookies", "form"])
def test_no_other_host_gets_anything_of_a_login(tmp_path: Path, kind: str) -> None:
    """Not by a link, nor a redirect; and what the other's robots.txt leads to is asked as by a stranger."""
    with two_sites(tmp_path, kind) as (site, other):
        crawl(tmp_path, site.url(), other.url())
        assert {"/robots.txt", "/", "/to1", "/to2", "/linked"} <= set(other.paths)
        assert sent_secrets(other) == []
        assert set(PATHS[:3]) <= {*stored(tmp_path, site), "/page2", "/"}
        robots = [one for one in site.log if one.path == "/robots.txt"]
        assert len(robots) == (1 if kind == "form" else 2)
        assert sum(bool({"authorization", "cookie"} & one.headers.keys()) for one in robots) == 1


def test_the_page_of_a_stranger_leads_neither_to_the_login_nor_out_of_it(tmp_path: Path) -> None:
    with two_sites(tmp_path, "form") as (site, other):
        crawl(tmp_path, site.url(), other.url())
        assert isinstance(site, FormSite)
        assert site.ended == []
        logins = [(one.method, one.path) for one in site.log if one.path.startswith("/login")]
        assert logins == [("GET", "/login"), ("POST", "/login")], "by the crawler itself, once"


def test_a_login_for_https_is_not_used_over_http(tmp_path: Path) -> None:
    """Who writes a name alone means https: the same name and port over http gets nothing."""
    with PrivateSite(private_pages(), by_basic(SECRET)) as site:
        write_toml(tmp_path, site, of_basic(tmp_path, site))
        toml = tmp_path / "crawl.toml"
        toml.write_text(toml.read_text().replace("http://", ""))
        crawl(tmp_path, site.url())
        assert sent_secrets(site) == []


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def of_certificate(files: Files) -> str:
    return f'kind = "certificate"\ncertificate = "{files.certificate}"\nkey = "{files.key}"'


def test_the_certificate_of_a_company_and_ours(tmp_path: Path, authority: Authority) -> None:
    """Without `ca_file` nothing is asked of the host, nor without our certificate."""
    trust, login = f'ca_file = "{authority.file}"', of_certificate(authority.issue("crawler"))
    tls = authority.context("127.0.0.1", asks=True)
    with PrivateSite(private_pages(), lambda _: True, tls=tls) as site:
        words = ["-a", f"seeds={site.url()}", "-a", "own=1"]
        for more in ("", f"{trust}\n[[login]]\nhost = '127.0.0.1:1'\n{login}"):
            (tmp_path / "crawl.toml").write_text(more)
            scrapy(tmp_path, "crawl", "web", *words, code=UNANSWERED)
            assert site.paths == []
        write_toml(tmp_path, site, login, trust)
        tls.verify_mode = ssl.CERT_OPTIONAL
        with Site(private_pages(2), tls=tls) as other:
            crawl(tmp_path, site.url(), other.url(), fresh="1")
            assert {one.has_certificate for one in site.log} == {True}
            assert {one.has_certificate for one in other.log} == {False}, "no other host gets ours"
        assert stored(tmp_path, site) == PATHS


@contextmanager
def refusing(tls: ssl.SSLContext) -> Iterator[str]:
    """A server that ends each handshake by an alert, as OpenSSL does; its URL."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    try:
                        tls.wrap_socket(connection.dup(), server_side=True)
                    except ssl.SSLError:
                        while connection.recv(4096):
                            pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=serve, daemon=True).start()
        yield f"https://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def test_a_certificate_that_is_refused(tmp_path: Path, authority: Authority) -> None:
    login = of_certificate(Authority(tmp_path, "Others").issue("stranger"))
    with refusing(authority.context("127.0.0.1", asks=True)) as host:
        toml = f'ca_file = "{authority.file}"\n[[login]]\nhost = "{host}"\n{login}\n'
        (tmp_path / "crawl.toml").write_text(toml)
        crawl(tmp_path, f"{host}/")
        alarm = alarms(tmp_path)["login-failed"]
        assert f"{host}/robots.txt: it refuses the certificate" in alarm["message"]
        assert states(tmp_path) == {f"{host}/": ("queued", "")}


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_hosts_that_are_named_are_reached_by_a_proxy(
    tmp_path: Path, authority: Authority, scheme: str
) -> None:
    """Their names need not be known here; a login works through it, and over TLS the proxy reads nothing."""
    port = 443 if scheme == "https" else 80
    tls = authority.context("wiki.example") if scheme == "https" else None
    with PrivateSite(private_pages(), by_basic(SECRET), tls=tls) as site, ForwardProxy({}) as proxy:
        proxy.sites = {f"wiki.example:{port}": site}
        host = f"{scheme}://wiki.example"
        toml = f'ca_file = "{authority.file}"\n[[proxy]]\nhosts = ["wiki.example"]\n'
        toml += f'url = "http://localhost:{proxy.port}"\n'
        login = of_basic(tmp_path, site)
        (tmp_path / "crawl.toml").write_text(f'{toml}[[login]]\nhost = "{host}"\n{login}\n')
        crawl(tmp_path, f"{host}/")
        found = sorted(
            url.removeprefix(host) for url, (state, _) in states(tmp_path).items() if state == "stored"
        )
        assert found == PATHS
        assert {one.method for one in proxy.log} == {"CONNECT" if scheme == "https" else "GET"}
        if scheme == "https":
            assert sent_secrets(proxy) == []


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("told", [SECRET, "canary-wrong"])
def test_a_proxy_that_asks_who_one_is_is_told(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch, scheme: str, told: str
) -> None:
    """Nobody else hears or reads anything of that; by a wrong secret nothing is lost, and nothing stored."""
    tls = authority.context("wiki.example") if scheme == "https" else None
    monkeypatch.setenv("PROXY_SECRET", told)
    with Site(private_pages(), tls=tls) as site, ForwardProxy({}, SECRET) as proxy:
        proxy.sites = {f"wiki.example:{443 if scheme == 'https' else 80}": site}
        (tmp_path / "crawl.toml").write_text(
            f'ca_file = "{authority.file}"\n[[proxy]]\nhosts = ["wiki.example"]\n'
            f'url = "http://localhost:{proxy.port}"\nuser = "{USER}"\nsecret_env = "PROXY_SECRET"\n'
        )
        words = ["crawl", "web", "-a", f"seeds={scheme}://wiki.example/", "-a", "own=1"]
        words += ["-L", "DEBUG", "-s", "LOG_LEVEL=DEBUG"]
        done = run_apart(command(tmp_path, *words))
        assert ("its proxy refuses us" in done.stdout) is (told != SECRET)
        found = sorted(url.removeprefix(f"{scheme}://wiki.example") for url in stored_urls(tmp_path))
        assert found == (PATHS if told == SECRET else [])
        assert [*find(told, tmp_path, done.stdout, done.stderr)] == []
        assert sent_secrets(site) == []
        assert not any("proxy-authorization" in one.headers for one in site.log)
        assert (states(tmp_path)[f"{scheme}://wiki.example/"][0] == "queued") is (told != SECRET)


def test_no_other_name_reaches_a_proxy(tmp_path: Path) -> None:
    """Not by a link, nor a redirect; no private address is reached, and the proxy itself is no site."""
    inside = Site(pages({"/": []}))
    with inside, ForwardProxy({}) as proxy:
        away = {
            f"/{n}": Answer(302, headers={"Location": url})
            for n, url in enumerate(private_urls(inside, proxy))
        }
        routes = {"/": link_page(*private_urls(inside, proxy), *away), **away}
        with Site(routes) as wiki:
            proxy.sites = {"wiki.example:80": wiki, f"127.0.0.1:{inside.port}": inside, "10.0.0.1:80": inside}
            (tmp_path / "crawl.toml").write_text(
                f'contact = "me@example.org"\n[[proxy]]\nhosts = ["http://wiki.example", "http://10.0.0.1"]\n'
                f'url = "{proxy.url("")}"\n[limits]\nhost_requests_per_second = 50\n'
            )
            words = ["-a", "seeds=http://wiki.example/", "-a", "scope=any", "-a", "profile=brisk"]
            scrapy(tmp_path, "crawl", "web", *words)
            assert "/" in wiki.paths
            assert inside.paths == [], "a private address behind the proxy, or beside it"
            assert all(one.path.startswith("http://wiki.example/") for one in proxy.log)
            assert not any(url.startswith(("http://10.", proxy.url(""))) for url in stored_urls(tmp_path))


def private_urls(inside: Site, proxy: Site) -> list[str]:
    """URLs that a page may have, and that nobody allows."""
    return [inside.url("/"), "http://10.0.0.1/", proxy.url("/"), "http://other.example/"]


def stored_urls(folder: Path) -> list[str]:
    return [url for url, (state, _) in states(folder).items() if state == "stored"]


def refresh(folder: Path, site: Site, code: int) -> str:
    """`scrapy robots --refresh`; what it says."""
    done = run_apart(command(folder, "robots", "--refresh", site.url("")))
    assert done.returncode == code, done.stderr
    return done.stderr


def test_robots_txt_is_read_behind_the_login(tmp_path: Path) -> None:
    """Its rules hold; and `scrapy robots --refresh` logs in, too, or says why it cannot."""
    routes = {
        **private_pages(),
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /page3\n", {"Content-Type": "text/plain"}),
    }
    with PrivateSite(routes, by_basic(SECRET)) as site:
        write_toml(tmp_path, site, of_basic(tmp_path, site), 'contact = "me@example.org"')
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == ["/", "/page0", "/page1", "/page2"]
        site.routes["/robots.txt"] = Answer(404)
        refresh(tmp_path, site, 0)
        crawl(tmp_path, site.url())
        assert stored(tmp_path, site) == PATHS
        write_toml(tmp_path, site, of_basic(tmp_path, site, TOKEN), 'contact = "me@example.org"')
        said = refresh(tmp_path, site, 2)
        assert f"the login to {site.url('')} failed: {site.url('/robots.txt')}: it answers 401" in said
