"""Messages between a supervisor and its workers."""

import pytest

from engine.prefork.messages import MAX_BYTES, Channel, Notice


@pytest.mark.parametrize(
    ("message", "arrives", "why"),
    [
        (Notice("ready"), True, "a kind alone"),
        (Notice("query", ("żółw", "00ff")), True, "texts in any script"),
        (Notice("query", ("a\udc80b", "")), True, "what no encoding has"),
        (Notice("query", ("x" * MAX_BYTES,)), False, "too long: dropped, not cut"),
    ],
)
def test_what_arrives(message: Notice, arrives: bool, why: str) -> None:
    one, other = Channel.pair()
    heard = list[Notice]()
    one.send(message)
    one.close()
    other.follow(heard.append)
    other.close()
    assert heard == [message] * arrives, why


def test_nobody_waits_for_who_does_not_listen() -> None:
    one, other = Channel.pair()
    for number in range(10_000):
        one.send(Notice("query", (str(number),)))
    one.close()
    heard = list[Notice]()
    other.follow(heard.append)
    assert [int(message.texts[0]) for message in heard] == list(range(len(heard))), "the last ones are lost"
    assert 0 < len(heard) < 10_000
    other.send(Notice("drain"))  # to nobody
    other.close()
