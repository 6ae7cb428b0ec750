"""The configurations of nginx and Caddy in docs/operating.md work as they stand there."""

import os
import re
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from benchmarks.sites import Address, await_server, free_address, nginx
from engine.admin import save_password
from engine.config import ServerConfig, load_config
from engine.middleware.identity import Identity
from search_ui.app import create_app
from tests.certificates import self_signed
from tests.conftest import ROOT
from tests.search_ui.admin.conftest import PASSWORD, make_app
from tests.search_ui.conftest import START_SECONDS, Searcher, answering

LETSENCRYPT = re.compile(r"/etc/letsencrypt/live/search\.example\.org/(fullchain|privkey)\.pem")
UPSTREAM = "http://127.0.0.1:8000"
NAMES = {"x-forwarded-user", "x-forwarded-groups"}  # which say who somebody is, where a login is asked for
FORGED = {"X-Forwarded-For": "192.0.2.1", **dict.fromkeys(NAMES, "admin")}
HOSTS = "127.9.43.1", "127.9.44.1"  # of TLS, and of the plain text before it


def configurations() -> tuple[str, str]:
    """For a host of its own, and for a path of another site."""
    own_host, path = examples("nginx")
    return own_host, path


def examples(name: str) -> list[str]:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{name}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class HeaderRecorder:
    """Keeps the header fields of each request in a list."""

    def __init__(self, app: ASGIApp, seen: list[dict[str, str]]) -> None:
        self.app, self.seen = app, seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await self.app(scope, receive, send)


@contextmanager
def behind(
    configuration: str, public_url: str, folder: Path, app: Starlette | None = None
) -> Iterator[tuple[httpx.Client, str, list[dict[str, str]]]]:
    """A client of nginx with these blocks, where it speaks plain text, and what it passes on to Lycosa."""
    secure, plain = map(free_address, HOSTS)
    certificate, key = self_signed(folder)
    with recorded(app or create_app(Searcher(), lambda: None, Identity("", public_url))) as (lycosa, seen):
        text = configuration.replace(UPSTREAM, lycosa)
        text = text.replace("listen 443 ssl", f"listen {secure[0]}:{secure[1]} ssl")
        text = text.replace("listen 80;", f"listen {plain[0]}:{plain[1]};")
        text = LETSENCRYPT.sub(lambda found: str(certificate if found[1] == "fullchain" else key), text)
        with nginx(text, [secure, plain]), trusting(secure) as client:
            yield client, f"http://{plain[0]}:{plain[1]}", seen


@contextmanager
def recorded(app: Starlette) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The address of an application, no slash at its end, and what header fields come to it."""
    seen = list[dict[str, str]]()
    app.add_middleware(HeaderRecorder, seen)
    with answering(app) as lycosa:
        yield str(lycosa.base_url).rstrip("/"), seen


def trusting(address: Address) -> httpx.Client:
    """A client over TLS, whatever the certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    base = f"https://{address[0]}:{address[1]}"
    return httpx.Client(base_url=base, verify=context, timeout=START_SECONDS, trust_env=False)


# Nothing but what the example says: no API, no certificates from elsewhere; a client without SNI is welcome.
CADDY = """{{
    admin off
    auto_https off
    default_sni {name}
}}
"""


@contextmanager
def behind_caddy(
    name: str, public_url: str, folder: Path
) -> Iterator[tuple[httpx.Client, list[dict[str, str]]]]:
    """A client of Caddy's site of this name, which has a page of its own, and what it passes on to Lycosa."""
    (text,), address, files = examples("caddy"), free_address(HOSTS[0]), [*map(str, self_signed(folder))]
    own = f"{name} {{\n    bind {address[0]}\n    tls {' '.join(files)}\n    respond /own own\n"
    with recorded(create_app(Searcher(), lambda: None, Identity("", public_url))) as (lycosa, seen):
        (block,) = (one for one in re.split(r"\n(?=\w)", text) if one.startswith(f"{name} {{\n"))
        block = block.replace("127.0.0.1:8000", lycosa.removeprefix("http://"))
        block = block.replace(f"{name} {{\n", own.replace(name, f"https://{name}:{address[1]}"))
        (folder / "Caddyfile").write_text(CADDY.format(name=name) + block, "utf-8")
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        line = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
        server = subprocess.Popen(line, env=environment, stderr=subprocess.DEVNULL)
        try:
            await_server(address, server)
            with trusting(address) as client:
                yield client, seen
        finally:
            server.terminate()
            server.wait()


@pytest.mark.nginx
def test_a_host_of_its_own(tmp_path: Path) -> None:
    with behind(configurations()[0], "https://search.example.org", tmp_path) as (client, plain, seen):
        forged = {**FORGED, "X-Forwarded-Proto": "http", "Host": "search.example.org"}
        answer = client.get("/search?q=a&hl=pl", headers=forged)
        assert answer.status_code == 200
        assert "; Secure" in answer.headers["set-cookie"]
        assert seen[-1]["x-forwarded-for"] == "127.0.0.1", "what the client claims is replaced"
        assert (seen[-1]["x-forwarded-proto"], seen[-1]["host"]) == ("https", "search.example.org")
        assert not NAMES & seen[-1].keys()
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
        moved = client.get(f"{plain}/search?q=a")
        assert (moved.status_code, moved.headers["location"]) == (
            301,
            "https://search.example.org/search?q=a",
        )


@pytest.mark.nginx
def test_a_path_of_another_site(tmp_path: Path) -> None:
    own_host, path = configurations()
    # The site before: another root, and a page of its own.
    site = re.sub(
        r"location / \{.*?\n    \}",
        f'location = /own {{ return 200 "own"; }}\n{path}',
        own_host,
        flags=re.DOTALL,
    )
    with behind(site, "https://www.example.org/search", tmp_path) as (client, _, seen):
        host = {"Host": "www.example.org"}
        answer = client.get("/search/search?q=a", headers={**host, **FORGED})
        assert (answer.status_code, 'href="/search/static/style.css"' in answer.text) == (200, True)
        assert seen[-1]["x-forwarded-for"] == "127.0.0.1"
        assert not NAMES & seen[-1].keys()
        assert client.get("/search", headers=host).headers["location"].endswith("/search/")
        before = len(seen)
        assert client.get("/own", headers=host).text == "own"
        assert client.get("/searching", headers=host).status_code == 404
        assert len(seen) == before, "the site's own pages are not passed on"


@pytest.mark.nginx
@pytest.mark.parametrize(("is_trusted", "status"), [(True, 303), (False, 403)])
def test_the_operators_pages_over_tls(tmp_path: Path, is_trusted: bool, status: int) -> None:
    """By a web server that crawl.toml names; of another nobody knows what it speaks with its clients."""
    public_url = "https://search.example.org"
    save_password(tmp_path, PASSWORD, 0, "")
    config = load_config({"DATA_DIR": tmp_path, "CRAWL_TOML": tmp_path / "crawl.toml"})
    serving = ServerConfig(trusted_proxies=(ip_network("127.0.0.1"),) if is_trusted else ())
    app = make_app(config, serving, public_url)
    with behind(configurations()[0], public_url, tmp_path, app) as (client, plain, _):
        headers = {"Host": "search.example.org", "Origin": public_url, "X-Forwarded-For": "127.0.0.1"}
        answer = client.post("/admin/login", data={"password": PASSWORD}, headers=headers)
        assert answer.status_code == status
        assert answer.headers.get("set-cookie", "").startswith("__Host-lycosa-operator=") is is_trusted
        assert client.get(f"{plain}/admin", headers=headers).headers["location"] == f"{public_url}/admin"


@pytest.mark.caddy
@pytest.mark.parametrize(
    ("name", "path"), [("search.example.org", ""), ("www.example.org", "/search")], ids=["host", "path"]
)
def test_caddy(tmp_path: Path, name: str, path: str) -> None:
    with behind_caddy(name, f"https://{name}{path}", tmp_path) as (client, seen):
        forged = {**FORGED, "X-Forwarded-Proto": "http", "Host": name}
        answer = client.get(f"{path}/search?q=a&hl=pl", headers=forged)
        assert (answer.status_code, f'href="{path}/static/style.css"' in answer.text) == (200, True)
        assert "; Secure" in answer.headers["set-cookie"]
        fields = [seen[-1][field] for field in ("x-forwarded-for", "x-forwarded-proto", "host")]
        assert fields == ["127.0.0.1", "https", name], "what the client claims is replaced"
        assert not NAMES & seen[-1].keys()
        if path:
            assert client.get(path, headers={"Host": name}).headers["location"] == f"{path}/"
            before = len(seen)
            assert client.get("/own", headers={"Host": name}).text == "own"
            assert client.get(f"{path}ing", headers={"Host": name}).text == ""
            assert len(seen) == before, "the site's own pages are not passed on"
