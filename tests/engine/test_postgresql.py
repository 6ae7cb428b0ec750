"""How long is waited for a server, and how long it waits."""

import pytest

from engine.postgresql import make_parameters

WAITS = [
    (30.0, 20.0, 10, 20_000, "a crawl: a server that is there answers within ten seconds"),
    (5.0, 1.5, 2, 1_500, "a page, which is shown without it soon; libpq waits no less than 2 s"),
    (0.05, 60.0, 10, 60_000, "who waits for long does not wait so for a connection"),
]


@pytest.mark.parametrize(("busy", "silent", "connect", "sent", "why"), WAITS, ids=[row[-1] for row in WAITS])
def test_how_long_is_waited(busy: float, silent: float, connect: int, sent: int, why: str) -> None:
    made = make_parameters(busy, silent)
    assert (made["connect_timeout"], made["tcp_user_timeout"]) == (connect, sent), why
    assert f"-c lock_timeout={round(1_000 * busy)} " in made["options"]


def test_a_server_gives_locks_to_others_only_after_their_holder_has_given_up() -> None:
    """Else a crawl that is cut off still asks a host that another one asks by then."""
    made = make_parameters(30.0)
    settings = dict(one.split("=") for one in made["options"].removeprefix("-c ").split(" -c "))
    assert made["tcp_user_timeout"] < int(settings["tcp_user_timeout"])
    assert made["keepalives_interval"] * made["keepalives_count"] < int(
        settings["tcp_keepalives_interval"]
    ) * int(settings["tcp_keepalives_count"])


def test_what_one_caller_adds_the_next_does_not_have() -> None:
    assert make_parameters(1.0, settings={"search_path": "admin"})["options"].endswith("-c search_path=admin")
    assert "search_path" not in make_parameters(1.0)["options"]
