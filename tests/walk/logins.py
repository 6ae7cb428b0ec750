"""Hosts that ask who one is, and what crawl.toml says of them."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.crawling import states
from tests.web.private import USER, FormSite, PrivateSite, by_basic, by_bearer, by_cookie, private_pages
from tests.web.scripted import Site

SECRET = "canary-5f0c é/+ 77"
TOKEN = "canary-5f0c-77"  # what a header or a cookie can hold
PATHS = ["/", *(f"/page{n}" for n in range(8))]


class Kind(NamedTuple):
    """A kind of login: its site, what crawl.toml says of it, and its secret."""

    site: Callable[[Path], Site]
    toml: Callable[[Path, Site], str]
    secret: str


def write_secret(folder: Path, text: str) -> Path:
    """A file that nobody else can read."""
    file = folder / "secret"
    file.write_text(f"{text}\n")
    file.chmod(0o600)
    return file


def of_basic(folder: Path, site: Site, secret: str = SECRET) -> str:
    return f'kind = "basic"\nuser = "{USER}"\nsecret_file = "{write_secret(folder, secret)}"'


def of_bearer(folder: Path, site: Site, secret: str = TOKEN) -> str:
    return f'kind = "bearer"\nsecret_file = "{write_secret(folder, secret)}"'


def of_cookies(folder: Path, site: Site, secret: str = TOKEN) -> str:
    line = f"#HttpOnly_{site.address}\tFALSE\t/\tFALSE\t0\tsid\t{secret}"
    return f'kind = "cookies"\nsecret_file = "{write_secret(folder, line)}"'


def of_form(folder: Path, site: Site, secret: str = SECRET) -> str:
    file = write_secret(folder, secret)
    return (
        f'kind = "form"\nurl = "{site.url("/login")}"\nfields = {{ user = "{USER}" }}\nsecret_file = "{file}"'
    )


KINDS = {
    "basic": Kind(lambda _: PrivateSite(private_pages(), by_basic(SECRET)), of_basic, SECRET),
    "bearer": Kind(lambda _: PrivateSite(private_pages(), by_bearer(TOKEN)), of_bearer, TOKEN),
    "cookies": Kind(lambda _: PrivateSite(private_pages(), by_cookie(TOKEN)), of_cookies, TOKEN),
    "form": Kind(lambda _: FormSite(private_pages(), SECRET), of_form, SECRET),
}


def write_toml(folder: Path, site: Site, login: str, more: str = "") -> None:
    """A crawl.toml with a login of this site."""
    text = f'{more}\n[[login]]\nhost = "{site.url("")}"\n{login}\n'
    (folder / "crawl.toml").write_text(text)


def stored(folder: Path, site: Site) -> list[str]:
    """The paths of the site's pages that are stored."""
    url = site.url("")
    found = (one for one, (state, _) in states(folder).items() if state == "stored")
    return sorted(one.removeprefix(url) for one in found if one.startswith(f"{url}/"))
