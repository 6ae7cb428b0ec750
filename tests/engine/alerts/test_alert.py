"""An alarm as it is told, and as it is documented."""

import re

from engine.alerts.alert import Alert, AlertKind, describe_alert
from engine.alerts.delivery import MAX_TRIES, PAUSES
from tests.conftest import ROOT

OPEN = Alert("a", "open", AlertKind.DISK, "", 0.0, None, "the disk\x1b[2J is full", "free some space")


def test_a_line_is_one_line_without_orders_to_a_terminal() -> None:
    assert OPEN.line == "the disk\\x1b[2J is full"
    assert OPEN._replace(times=3).line.endswith("(it came 3 times in short order)")
    assert OPEN._replace(status="over", until=7_200.0).line.startswith("over, after 2 h 0 min: ")
    assert describe_alert(OPEN._replace(status="over", until=-5.0))["seconds"] == 0, (
        "a clock that was set back"
    )


def test_every_kind_is_documented() -> None:
    page = (
        (ROOT / "docs" / "operating.md").read_text("utf-8").partition("\n## Alarms")[2].partition("\n## ")[0]
    )
    documented = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    kinds = [kind.value for kind in AlertKind if kind is not AlertKind.TEST]
    assert [one for one in documented if one not in ("command", "webhook")] == kinds
    minutes = ", ".join(f"{pause / 60:.0f}" for pause in PAUSES[:-1])
    assert f"after {minutes} and {PAUSES[-1] / 60:.0f} minutes" in page
    assert MAX_TRIES == 6
    assert "given up after six tries" in page
