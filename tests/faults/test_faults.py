"""Whatever goes wrong between crawling machines and their server, the end is that of an undisturbed crawl."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.faults.scenarios import SCENARIOS

pytestmark = [pytest.mark.postgresql, pytest.mark.namespaces]
FEW = ("cut", "killed")  # what is played at each change; all of it is an hour
RUNS = 5  # at full size
KILLS = 20  # likewise, of what comes without a warning


def play(scenario: str, folder: Path, seed: int) -> None:
    line = [sys.executable, "-m", "tests.faults.scenarios", scenario, str(folder), str(seed)]
    done = subprocess.run(
        ["unshare", "--net", "--mount", *line], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.requirement(26, 273, 276)
@pytest.mark.parametrize("scenario", FEW)
def test_the_end_is_that_of_an_undisturbed_crawl(tmp_path: Path, scenario: str) -> None:
    play(scenario, tmp_path, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "seed"),
    [
        (scenario, seed)
        for scenario in SCENARIOS
        for seed in range(scenario in FEW, KILLS if scenario.endswith("killed") else RUNS)
    ],
)
def test_at_any_moment(tmp_path: Path, scenario: str, seed: int) -> None:
    play(scenario, tmp_path, seed)
