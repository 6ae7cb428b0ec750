"""Who is let in, and who is not: proofs, keys, sessions, and how often a host is asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.admin.sessions import IDLE_SECONDS
from engine.config import Config, load_config
from engine.database import OWNERS, CrawlDatabase
from engine.ownership import access as access_module
from engine.ownership import proofs
from engine.ownership.access import CheckedOften, NotProved, OwnerAccess
from engine.ownership.check import MarkLook, MarkState
from engine.ownership.known_hosts import UnknownHost
from engine.ownership.mark import file_path, file_text, make_key, make_value, meta_element
from engine.robots import RobotsState, Verdict
from engine.store import save_robots
from tests.engine.database.side_rows import dump
from tests.engine.ownership.asking import START, Now, access_to, configured, host_of_site
from tests.web.scripted import Answer, Site, html, scripted_web

KEY = make_key()
DAY = 86_400.0


@pytest.fixture
def site() -> Iterator[Site]:
    with scripted_web({"/": html("Home")}, "127.31.8.2") as running:
        yield running


@pytest.fixture
def config(tmp_path: Path, site: Site) -> Config:
    return configured(tmp_path, site, "http://10.0.0.1/", "http://127.31.8.3:9/")


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def access(config: Config, now: Now) -> OwnerAccess:
    return access_to(config, now)


def show(site: Site, key: str = KEY) -> str:
    """Shows the key's value in a file; returns the file's path."""
    value = make_value(host_of_site(site), key)
    site.routes[file_path(value)] = Answer(200, f"{file_text(value)}\n", {"Content-Type": "text/plain"})
    return file_path(value)


def states(access: OwnerAccess, site: Site, key: str = KEY) -> list[MarkState]:
    with pytest.raises(NotProved) as raised:
        access.prove(host_of_site(site), key)
    return [look.state for look in raised.value.looks]


def test_a_file_proves_it(access: OwnerAccess, site: Site) -> None:
    path, host = show(site), host_of_site(site)
    session_id, proved = access.prove(host, KEY)
    assert proved == host
    assert access.list_hosts(session_id) == [host]
    assert site.paths == [path], "and nothing more is asked"


def test_an_element_of_the_front_page_proves_it(access: OwnerAccess, site: Site) -> None:
    site.routes["/"] = html("Home", head=meta_element(make_value(host_of_site(site), KEY)))
    session_id, host = access.prove(host_of_site(site), KEY)
    assert access.list_hosts(session_id) == [host]


def test_the_host_need_not_be_typed_in_full(access: OwnerAccess, site: Site) -> None:
    show(site)
    assert access.find_host(f"{site.address}:{site.port}/page") == host_of_site(site)
    assert access.prove(f"{site.address}:{site.port}", KEY)[1] == host_of_site(site)


def test_what_is_told_where_it_does_not_show_it(access: OwnerAccess, site: Site) -> None:
    assert states(access, site) == [MarkState.STATUS, MarkState.OTHER_TEXT]
    path = show(site)
    site.routes[path] = Answer(302, "", {"Location": "http://10.0.0.1/"})
    site.routes["/"] = Answer(drop=True)
    assert states(access, site) == [MarkState.REDIRECT, MarkState.NO_ANSWER]
    site.routes[path] = Answer(500, file_text(make_value(host_of_site(site), KEY)))
    assert states(access, site) == [MarkState.STATUS, MarkState.NO_ANSWER]


def test_the_value_of_another_key_proves_nothing(access: OwnerAccess, site: Site) -> None:
    """Everybody sees an owner's value; nobody has a key of it."""
    show(site)
    access.prove(host_of_site(site), KEY)
    assert MarkState.SHOWN not in states(access, site, make_key())
    value = make_value(host_of_site(site), KEY)
    assert states(access, site, value) == [], "a value is no key"
    assert states(access, site, value.ljust(43, "0"))[0] is MarkState.STATUS


def test_a_mark_on_another_host_proves_nothing(tmp_path: Path, now: Now) -> None:
    with scripted_web({}, "127.31.8.4") as one, scripted_web({}, "127.31.8.5") as other:
        config = configured(tmp_path, one, other.url("/"))
        path = show(one)
        other.routes[path] = one.routes[path]
        text = (
            (tmp_path / "crawl.toml")
            .read_text()
            .replace("allow_private = [", f'allow_private = ["{other.address}", ')
        )
        (tmp_path / "crawl.toml").write_text(text)
        config = configured_again(config, tmp_path)
        with pytest.raises(NotProved):
            access_to(config, now).prove(host_of_site(other), KEY)
        assert access_to(config, now).prove(host_of_site(one), KEY)[1] == host_of_site(one)


def configured_again(config: Config, folder: Path) -> Config:
    return load_config({"DATA_DIR": config.data_dir, "CRAWL_TOML": folder / "crawl.toml"})


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("http://never.example", "no crawl has met it"),
        ("http://127.31.8.2:1", "another port"),
        ("https://127.31.8.2", "another scheme"),
        ("http://127.0.0.1:22", "our own machine"),
        ("http://user:password@127.31.8.2/", "with a name"),
        ("", "nothing"),
        ("http://", "half"),
        ("file:///etc/passwd", "no host"),
        ("javascript:alert(1)", "no host at all"),
        ("a" * 3_000, "too long"),
        ("\0", "junk"),
    ],
)
def test_hosts_that_nobody_knows_are_not_asked(
    access: OwnerAccess, site: Site, monkeypatch: pytest.MonkeyPatch, typed: str, why: str
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail(why))
    with pytest.raises(UnknownHost):
        access.prove(typed, KEY)
    assert site.log == [], why


@pytest.mark.parametrize("host", ["http://10.0.0.1", "http://127.31.8.3:9"])
def test_a_known_host_on_a_private_address_is_not_asked(access: OwnerAccess, host: str) -> None:
    with pytest.raises(NotProved) as raised:
        access.prove(host, KEY)
    assert {look.state for look in raised.value.looks} == {MarkState.ADDRESS}


def test_robots_txt_keeps_us_from_the_page_and_not_from_the_file(
    access: OwnerAccess, config: Config, site: Site
) -> None:
    rules = b"User-agent: *\nDisallow: /\n"
    with CrawlDatabase(config.data_dir).open_engine() as engine, engine.begin() as connection:
        save_robots(connection, host_of_site(site), RobotsState(Verdict.OBEY, rules, START, START + 9, 200))
    site.routes["/"] = html("Home", head=meta_element(make_value(host_of_site(site), KEY)))
    assert states(access, site) == [MarkState.STATUS, MarkState.FORBIDDEN]
    assert "/" not in site.paths
    show(site)
    assert access.prove(host_of_site(site), KEY)


def test_a_key_opens_again_without_a_request(access: OwnerAccess, site: Site, now: Now) -> None:
    show(site)
    access.prove(host_of_site(site), KEY)
    now.seconds += 29 * DAY
    site.routes.clear()
    session_id, host = access.prove(host_of_site(site), KEY)
    assert access.list_hosts(session_id) == [host]
    assert len(site.log) == 1


def test_after_thirty_days_it_is_asked_again(access: OwnerAccess, site: Site, now: Now) -> None:
    show(site)
    access.prove(host_of_site(site), KEY)
    now.seconds += 30 * DAY
    access.prove(host_of_site(site), KEY)
    assert len(site.log) == 2
    now.seconds += 30 * DAY
    site.routes.clear()
    assert states(access, site) == [MarkState.STATUS, MarkState.STATUS]
    now.seconds -= DAY
    assert states(access, site) == [MarkState.STATUS, MarkState.STATUS], "it is lost, not only old"


def test_a_session_sees_no_more_than_its_proof(access: OwnerAccess, site: Site, now: Now) -> None:
    show(site)
    first, host = access.prove(host_of_site(site), KEY)
    now.seconds += proofs.PROOF_SECONDS - 60
    session_id, _ = access.prove(host, KEY, first)
    assert access.list_hosts(session_id) == [host]
    now.seconds += 60
    assert access.list_hosts(session_id) == [], "although it lives"


@pytest.mark.parametrize("forged", ["", "x", "0" * 43])
def test_no_session_sees_nothing(access: OwnerAccess, site: Site, forged: str) -> None:
    assert access.list_hosts(forged) == []
    show(site)
    access.prove(host_of_site(site), KEY)
    assert access.list_hosts(forged) == []


def test_sessions_end(access: OwnerAccess, site: Site, now: Now) -> None:
    show(site)
    first, host = access.prove(host_of_site(site), KEY)
    second, _ = access.prove(host, KEY, first)
    assert (access.list_hosts(first), access.list_hosts(second)) == ([], [host]), "its id is always new"
    access.log_out(second)
    assert access.list_hosts(second) == []
    third, _ = access.prove(host, KEY)
    now.seconds += IDLE_SECONDS
    assert access.list_hosts(third) == []


def test_a_session_keeps_what_it_saw_before(
    tmp_path: Path, now: Now, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_web({}, "127.31.8.6") as one:
        access = access_to(configured(tmp_path, one, "http://two.example/"), now)
        show(one)
        first, host = access.prove(host_of_site(one), KEY)
        shown = MarkLook("", MarkState.SHOWN)
        monkeypatch.setattr(access_module, "look_for_value", lambda _: [shown])
        second, other = access.prove("http://two.example", make_key(), first)
        assert access.list_hosts(second) == sorted([host, other])
        stranger, _ = access.prove("http://two.example", make_key(), "forged")
        assert access.list_hosts(stranger) == [other]


def test_a_host_is_not_asked_too_often(access: OwnerAccess, site: Site, now: Now) -> None:
    """Whoever asks, and with whatever key."""
    for _ in range(proofs.CHECKS_PER_HOUR):
        states(access, site, make_key())
    asked = len(site.log)
    with pytest.raises(CheckedOften) as raised:
        access.prove(host_of_site(site), KEY)
    assert 0 < raised.value.seconds <= 120
    assert len(site.log) == asked == 2 * proofs.CHECKS_PER_HOUR
    now.seconds += raised.value.seconds
    show(site)
    assert access.prove(host_of_site(site), KEY)
    with pytest.raises(CheckedOften):
        access.prove(host_of_site(site), make_key())
    assert access.prove(host_of_site(site), KEY), "strangers lock no owner out"


def test_no_key_costs_no_request(access: OwnerAccess, site: Site) -> None:
    for typed in ("", "password", "k" * 42):
        assert states(access, site, typed) == []
    assert site.log == []


def test_nothing_that_is_kept_opens_anything(access: OwnerAccess, config: Config, site: Site) -> None:
    show(site)
    session_id, _ = access.prove(host_of_site(site), KEY)
    kept = dump(config.data_dir, OWNERS)
    assert make_value(host_of_site(site), KEY).encode() in kept, "it stands on the site anyway"
    assert KEY.encode() not in kept
    assert session_id.encode() not in kept


def test_proofs_and_sessions_are_bounded(
    access: OwnerAccess, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = MarkLook("", MarkState.SHOWN)
    monkeypatch.setattr(access_module, "look_for_value", lambda _: [shown])
    monkeypatch.setattr(proofs, "MAX_PROOFS", 2)
    monkeypatch.setattr(proofs, "MAX_SESSIONS", 3)
    sessions = []
    for number in range(5):
        access.clock.seconds = START + number  # type: ignore[attr-defined]
        sessions.append(access.prove(host_of_site(site), make_key())[0])
    assert [bool(access.list_hosts(one)) for one in sessions] == [False, False, False, True, True]
