"""The server of the friendly web: conditional requests, redirects, nothing outside its folders."""

import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.running import free_ports
from tests.web.client import TIMEOUT, fetch
from tests.web.serve import FRIENDLY, FriendlyWeb, friendly_web, served

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def web() -> Iterator[FriendlyWeb]:
    with friendly_web() as running:
        yield running


def test_the_server_declares_utf_8_but_for_the_old_page(web: FriendlyWeb) -> None:
    _, headers, body = fetch(web.url("library-ru/ekslibris.html"))
    assert headers["Content-Type"] == "text/html"
    assert "Экслибрис" in body.decode("cp1251")
    assert fetch(web.url("library-ru/"))[1]["Content-Type"] == "text/html; charset=utf-8"
    assert fetch(web.url("garden-en/calendar.txt"))[1]["Content-Type"] == "text/plain; charset=utf-8"


def test_neighbours_are_named_by_their_address(web: FriendlyWeb) -> None:
    _, _, body = fetch(web.url("links-en/nature.html"))
    assert f'href="{web.url("spiders-en/wolf-spiders.html")}"'.encode() in body
    assert b"{" not in body


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/../garden-en/index.html", "a neighbour's folder"),
        ("/%2e%2e/garden-en/index.html", "dots in disguise"),
        ("/%2e%2e%2f%2e%2e%2fserve.py", "slashes in disguise"),
        ("/..%5cgarden-en%5cindex.html", "the other slash"),
        ("//etc/passwd", "an absolute path"),
        ("/%00", "no file name has a zero in it"),
        ("/" + "a" * 5000, "longer than any file name"),
        ("/print/", "a folder without an index is not listed"),
    ],
)
def test_nothing_outside_the_folder_is_served(web: FriendlyWeb, path: str, why: str) -> None:
    assert fetch(web.urls["spiders-en"].rstrip("/") + path)[0] == 404, why


def test_redirects(web: FriendlyWeb) -> None:
    status, headers, _ = fetch(web.url("links-en/old/spiders.html"))
    assert (status, headers["Location"]) == (301, web.urls["spiders-en"])
    status, headers, _ = fetch(web.url("spiders-en/workshop"))
    assert (status, headers["Location"]) == (301, "/workshop/")


@pytest.mark.parametrize(
    ("question", "status", "why"),
    [
        ({"If_None_Match": "{etag}"}, 304, "the copy is the same"),
        ({"If_None_Match": 'W/"old", {etag}'}, 304, "one of the copies is"),
        ({"If_None_Match": '"old"'}, 200, "another version"),
        ({"If_Modified_Since": "{date}"}, 304, "not changed since"),
        ({"If_Modified_Since": "Sat, 01 Jan 2000 00:00:00 GMT"}, 200, "changed since"),
        ({"If_Modified_Since": "yesterday"}, 200, "no date at all"),
        ({"If_None_Match": '"old"', "If_Modified_Since": "{date}"}, 200, "RFC 9110, 13.2.2: the tag decides"),
    ],
)
def test_conditional_requests(web: FriendlyWeb, question: dict[str, str], status: int, why: str) -> None:
    url = web.url("garden-en/compost.html")
    _, known, _ = fetch(url)
    asked = {
        name: value.replace("{etag}", known["ETag"]).replace("{date}", known["Last-Modified"])
        for name, value in question.items()
    }
    answered, headers, body = fetch(url, **asked)
    assert answered == status, why
    assert headers["ETag"] == known["ETag"]
    assert bool(body) == (status == 200)


def test_the_log_tells_who_asked_for_what(web: FriendlyWeb) -> None:
    before = len(web.log)
    fetch(web.url("cha-zh/lucha.html"), user_agent="Lycosa-test")
    fetch(web.url("bagh-fa/"), method="HEAD", user_agent="Lycosa-test")
    assert fetch(web.url("bagh-fa/"), method="DELETE")[0] == 405
    seen = web.log[before:]
    assert [(entry.host, entry.method, entry.path) for entry in seen] == [
        ("cha-zh", "GET", "/lucha.html"),
        ("bagh-fa", "HEAD", "/"),
        ("bagh-fa", "DELETE", "/"),
    ]
    assert seen[0].user_agent == "Lycosa-test"
    assert seen[0].time <= seen[1].time


def test_a_changed_copy_can_be_served(tmp_path: Path) -> None:
    shutil.copytree(FRIENDLY / "garden-en", tmp_path / "garden-en")
    with friendly_web(tmp_path) as web:
        url = web.url("garden-en/bees.html")
        tag = fetch(url)[1]["ETag"]
        (tmp_path / "garden-en/bees.html").write_text("<p>New words, http://{garden-en}/ and {no-one}.</p>")
        status, _, body = fetch(url, If_None_Match=tag)
    assert (status, body) == (200, f"<p>New words, {web.urls['garden-en']} and {{no-one}}.</p>".encode())


def test_an_index_stands_for_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").touch()
    assert sorted(served(tmp_path)) == ["/a/", "/a/index.html"]


def command(port: int, *words: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "tests.web", "--port", str(port), *words]
    return subprocess.Popen(
        arguments, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_until_it_is_told_to_stop(stop: signal.Signals) -> None:
    port = free_ports(7)
    with command(port) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().split() for _ in range(7)]
        assert [name for name, _ in lines] == sorted(
            folder.name for folder in FRIENDLY.iterdir() if folder.is_dir()
        )
        assert fetch(lines[0][1])[0] == 200
        process.send_signal(stop)
        assert process.communicate(timeout=TIMEOUT) == ("", "")
        assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is 127.0.0.1 alone")
def test_hosts_may_have_addresses_of_their_own_and_a_log(tmp_path: Path) -> None:
    """By addresses several crawls share hosts out, and the log tells what each of them has asked."""
    log = tmp_path / "web.log"
    with command(free_ports(7), "--apart", "--log", str(log)) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().split() for _ in range(7)]
        assert len({urlsplit(url).hostname for _, url in lines}) == 7
        assert fetch(f"{lines[0][1]}none", user_agent="Lycosa-test")[0] == 404
        process.terminate()
        assert process.wait(TIMEOUT) == 0
    assert log.read_text() == f"{lines[0][0]} GET /none Lycosa-test\n"


def test_a_busy_port_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with command(port) as process:
            out, err = process.communicate(timeout=TIMEOUT)
    assert (out, process.returncode) == ("", 2)
    assert err.count("\n") == 1
    assert str(port) in err
    assert "--port" in err
