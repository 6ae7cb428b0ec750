"""[[login]], [[proxy]] and ca_file of crawl.toml: what they mean, and one line for each mistake."""

from pathlib import Path

import pytest

from engine.config import Login, SecretPlace
from engine.errors import EngineError
from tests.engine.config.test_load import read

HOST = "https://intranet.example"
FORM = f'kind = "form"\nurl = "{HOST}/login"\nsecret_env = "S"\n'


def login(folder: Path, text: str, host: str = "intranet.example") -> Login:
    """The one login that crawl.toml says."""
    [one] = read(folder, f'[[login]]\nhost = "{host}"\n{text}').logins
    return one


@pytest.mark.parametrize(
    ("host", "canonical", "why"),
    [
        ("intranet.example", HOST, "nothing is sent readably by mistake"),
        ("Intranet.Example:8443", f"{HOST}:8443", "a port"),
        (f"{HOST}:443", HOST, "the default one is never written"),
        ("http://intranet.example", "http://intranet.example", "readably, as it is written"),
    ],
)
def test_the_host(tmp_path: Path, host: str, canonical: str, why: str) -> None:
    assert login(tmp_path, 'kind = "bearer"\nsecret_env = "S"', host).host == canonical, why


def test_all_kinds(tmp_path: Path) -> None:
    basic = login(tmp_path, 'kind = "basic"\nuser = "u"\nsecret_file = "s"')
    assert (basic.kind, basic.user, basic.secret) == ("basic", "u", SecretPlace(file=Path("s")))
    assert login(tmp_path, 'kind = "bearer"\nsecret_env = "S"').secret == SecretPlace("S")
    assert login(tmp_path, 'kind = "cookies"\nsecret_file = "c.txt"').secret.file == Path("c.txt")
    form = login(tmp_path, f'{FORM}fields = {{ user = "u", realm = "r" }}\nsuccess = "Welcome"')
    assert (form.url, form.fields) == (f"{HOST}/login", (("user", "u"), ("realm", "r")))
    assert form.success
    certificate = login(tmp_path, 'kind = "certificate"\ncertificate = "c.pem"\nkey = "k.pem"')
    assert (certificate.certificate, certificate.key) == (Path("c.pem"), Path("k.pem"))


PROXY = '[[proxy]]\nhosts = ["a.example"]\nurl = "http://p:3128"\n'
BEGIN = '[[login]]\nhost = "intranet.example"\n'
WRONG = [
    ("[[login]]", "line 1: login: a [[login]] needs host = "),
    ('[[login]]\nhost = "a/b"', "line 2: host: 'a/b': more than a host; write, for example"),
    ('[[login]]\nhost = "*.example.org"', "line 2: host: .*more than a host"),
    (BEGIN, "line 1: login: a [[login]] needs kind = ..., one of basic, bearer"),
    (f'{BEGIN}kind = "digest"', "line 3: kind: unknown 'digest'; write one of basic"),
    (f'{BEGIN}kind = "basic"\nsecret_env = "S"', "line 3: kind: 'basic' needs user = \"crawler\""),
    (f'{BEGIN}kind = "basic"\nuser = "a:b"\nsecret_env = "S"', "line 4: user: a user name has no colon"),
    (f'{BEGIN}kind = "bearer"', "line 3: kind: 'bearer' needs either secret_env"),
    (f'{BEGIN}kind = "bearer"\nsecret_env = "S"\nsecret_file = "s"', "line 3: kind: 'bearer' needs either"),
    (f'{BEGIN}kind = "bearer"\nsecret = "canary"', "line 4: secret is unknown; write one of"),
    (f'{BEGIN}kind = "cookies"', "line 3: kind: 'cookies' needs secret_file"),
    (f'{BEGIN}kind = "form"\nsecret_env = "S"', "line 3: kind: 'form' needs url"),
    (f'{BEGIN}kind = "form"\nsecret_env = "S"\nurl = "https://sso.example/"', "line 5: url: https://sso"),
    (f'{BEGIN}{FORM}success = "("', "line 6: success: '(' is not a regular expression"),
    (f"{BEGIN}{FORM}fields = {{ a = 1 }}", "a: write text in quotes"),
    (f'{BEGIN}kind = "certificate"\ncertificate = "c"', "line 3: kind: 'certificate' needs key"),
    (f"{BEGIN}{FORM}{BEGIN}{FORM}", "line 7: host: https://intranet.example is in an earlier [[login]]"),
    ('[[proxy]]\nurl = "http://p:3128"', "line 1: proxy: a [[proxy]] needs hosts"),
    ('[[proxy]]\nhosts = ["*.example"]\nurl = "http://p:3128"', "line 2: hosts: .*more than a host"),
    ('[[proxy]]\nhosts = ["a.example"]\nurl = "https://p"', "line 3: url: .*no address of an HTTP proxy"),
    ('[[proxy]]\nhosts = ["a.example"]\nurl = "http://u:canary@p"', "line 3: url: .*user name or password"),
    (f'{PROXY}user = "u"', "line 4: user: 'u' needs either secret_env"),
    (f'{PROXY}secret_env = "S"', "line 4: secret_env: a secret of a proxy needs user"),
    (f'{PROXY}user = "a:b"\nsecret_env = "S"', "line 4: user: a user name has no colon"),
    (f'{PROXY}password = "canary"', "line 4: password is unknown; write one of"),
]


@pytest.mark.parametrize(("text", "line"), WRONG, ids=[row[1] for row in WRONG])
def test_a_mistake_is_one_line_that_says_how_to_mend_it(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(EngineError) as error:
        read(tmp_path, text)
    begin, _, rest = line.partition(".*")
    assert begin in str(error.value)
    assert rest in str(error.value)
    assert "canary" not in str(error.value)


@pytest.mark.parametrize(
    ("path", "refusal", "why"),
    [
        ("/a", "", "a page"),
        ("/login", "login", "nothing is sent there but by the crawler itself"),
        ("/login?next=/a", "login", "the same page"),
        ("/login/", "login", "as many servers see it"),
        ("/login/help", "", "a page below it"),
        ("/Special:UserLogout", "logout", "in the middle of a word"),
        ("/wp-login.php?action=logout", "logout", "in a query"),
        ("/sign-out", "logout", "other words"),
        ("/connect/endsession", "logout", "OpenID Connect"),
        ("/bye", "logout", "as the operator says"),
        ("/bye-bye", "", "which that pattern does not match"),
    ],
)
def test_what_is_never_requested(tmp_path: Path, path: str, refusal: str, why: str) -> None:
    assert login(tmp_path, FORM + 'logout = ["/bye$"]').refusal(HOST + path) == refusal, why


def test_a_proxy_is_for_hosts_that_are_named(tmp_path: Path) -> None:
    text = '[[proxy]]\nhosts = ["wiki.example", "https://a.example:8443"]\nurl = "http://proxy.example:3128"'
    [proxy] = read(tmp_path, text).proxies
    assert proxy.hosts == {"http://wiki.example", "https://wiki.example", "https://a.example:8443"}
    assert proxy.address == ("proxy.example", 3128)
