"""What is opened is an OpenSearch of our age, reached by a login and a certificate that are right."""

import base64
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.opensearch import (
    PASSWORD_VARIABLE,
    CertificateError,
    LoginError,
    ProductError,
    UnavailableError,
    client,
    open_client,
)
from tests.certificates import self_signed
from tests.engine.opensearch.nodes import ROOT, SILENT, answer, locate, refuse, run_node, run_tls_node
from tests.web.scripted import Answer, html


def version(**told: object) -> Answer:
    """A node's root."""
    return answer({"version": told})


@pytest.mark.parametrize(
    ("root", "expected", "says", "why"),
    [
        (version(distribution="opensearch", number="2.18.0"), ProductError, "upgrade it to 2.19", "too old"),
        (version(distribution="opensearch", number="1.99.0"), ProductError, "upgrade it to 2.19", "older"),
        (version(number="8.15.0"), ProductError, "is no OpenSearch", "Elasticsearch"),
        (version(distribution="opensearch", number=2), ProductError, "is no OpenSearch", "no number"),
        (version(distribution="opensearch"), ProductError, "is no OpenSearch", "none at all"),
        (answer({"version": "2.19.6"}), ProductError, "is no OpenSearch", "another form"),
        (answer([ROOT]), ProductError, "is no OpenSearch", "JSON, but no object"),
        (html("Welcome"), ProductError, "something else than JSON", "a web site"),
        (Answer(200, "{", {"Content-Type": "application/json"}), ProductError, "than JSON", "a part of it"),
        (answer([], 500), EngineError, "refuses a request (500)", "an error, but no object"),
        (html("Gone", status=404), EngineError, "refuses a request (404)", "a web site's error"),
        (Answer(302, "", {"Location": "/login"}), EngineError, "refuses a request (302)", "a login page"),
        (Answer(401, "Unauthorized"), LoginError, "refuses the login", "the security plugin's own form"),
        (refuse(403, "security_exception", "no permissions"), LoginError, "no permissions", "no right"),
        (answer({}, 503), UnavailableError, "enough of its nodes", "it has only begun"),
        (Answer(raw=b"SSH-2.0-OpenSSH_9.2\r\n"), UnavailableError, "cannot reach", "no HTTP"),
        (Answer(drop=True), UnavailableError, "Remote end closed connection", "it dies"),
        (SILENT, UnavailableError, "no answer within 0.3 s", "it hangs"),
    ],
)
def test_what_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, root: Answer, expected: type[EngineError], says: str, why: str
) -> None:
    if root is SILENT:
        monkeypatch.setattr(client, "OPEN_SECONDS", 0.3)
    with run_node({"/": root}) as node, pytest.raises(expected) as told:
        open_client(locate(node))
    assert says in str(told.value), why
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("number", ["2.19.0", "2.20.1", "3.0.0", "3.1.0-SNAPSHOT"])
def test_an_opensearch_of_our_age(number: str) -> None:
    with run_node({"/": version(distribution="opensearch", number=number)}) as node:
        open_client(locate(node)).close()


def test_nobody_is_there() -> None:
    with pytest.raises(UnavailableError, match="Connection refused; is the cluster up"):
        open_client("opensearch+http://127.0.0.1:1")


def test_tls_and_a_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password comes from the environment, in UTF-8."""
    monkeypatch.setenv(PASSWORD_VARIABLE, "żółw:1")
    files = self_signed(tmp_path)
    with run_tls_node(files) as port:
        opened = open_client(f"opensearch+https://u%40x@127.0.0.1:{port}?sslrootcert={files[0]}")
        login = opened.info()["login"].removeprefix("Basic ")
        opened.close()
    assert base64.b64decode(login).decode() == "u@x:żółw:1"


@pytest.mark.parametrize(
    ("host", "is_ours", "says", "why"),
    [
        ("127.0.0.1", False, "self-signed certificate", "anybody can make one"),
        ("localhost", True, "Hostname mismatch", "that of another host"),
    ],
)
def test_a_certificate_that_is_not_trusted(
    tmp_path: Path, host: str, is_ours: bool, says: str, why: str
) -> None:
    files = self_signed(tmp_path)
    with run_tls_node(files) as port, pytest.raises(CertificateError) as told:
        open_client(f"opensearch+https://{host}:{port}" + (f"?sslrootcert={files[0]}" if is_ours else ""))
    assert says in str(told.value), why
    assert "?sslrootcert=" in str(told.value)
    assert "\n" not in str(told.value)


def test_tls_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The node waits for a request, and we for its certificate."""
    monkeypatch.setattr(client, "OPEN_SECONDS", 0.3)
    with run_node() as node, pytest.raises(UnavailableError, match="cannot reach"):
        open_client(f"opensearch+https://127.0.0.1:{node.port}")


@pytest.mark.parametrize(("text", "why"), [(None, "no file"), ("junk", "no certificate")])
def test_certificates_that_cannot_be_read(tmp_path: Path, text: str | None, why: str) -> None:
    file = tmp_path / "ca.crt"
    if text is not None:
        file.write_text(text)
    with pytest.raises(EngineError, match="cannot read the certificates of sslrootcert: ") as told:
        open_client(f"opensearch+https://127.0.0.1?sslrootcert={file}")
    assert "\n" not in str(told.value), why


def test_a_user_without_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    with pytest.raises(LoginError, match=f"in the environment, as {PASSWORD_VARIABLE}"):
        open_client("opensearch+https://u@127.0.0.1")


def test_a_password_is_for_the_user_who_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, "secret")
    with run_node() as node:
        open_client(locate(node)).close()
    assert "authorization" not in node.log[0].headers


def test_without_opensearch_py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "engine.opensearch.transport", None)
    with pytest.raises(
        EngineError, match="needs opensearch-py, which is not installed: run 'make opensearch'"
    ):
        open_client("opensearch+http://127.0.0.1")


def test_who_opens_no_cluster_does_not_import_it() -> None:
    program = "import sys, engine.opensearch; sys.exit('opensearchpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
