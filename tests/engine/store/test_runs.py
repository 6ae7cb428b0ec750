"""The run log."""

import sqlalchemy as sa

from engine.store.runs import load_run, save_examples, start_run


def test_the_first_example_of_a_rule_stays(connection: sa.Connection) -> None:
    """Of the run, however often it goes on: whoever looks again finds the same URL."""
    run = start_run(connection, "crawl", 0.0)
    save_examples(connection, run, {"cgi": "http://h.example/a", "depth": "http://h.example/b"})
    save_examples(connection, run, {"cgi": "http://h.example/z", "scope": "http://h.example/c"})
    assert load_run(connection, run).examples == {
        "cgi": "http://h.example/a",
        "depth": "http://h.example/b",
        "scope": "http://h.example/c",
    }
