"""The operator's sites put to use: seeds, their spelling, their pace."""

import pytest

from engine.config import SiteConfig
from engine.errors import EngineError
from engine.frontier.politeness import PACES
from engine.frontier.sites import Sites, sites_of
from engine.url import Aliases, KnownHost

H = "http://h.example"
KNOWN = Aliases((KnownHost((H,), ("http://www.h.example",), ignore_case=True, drop_params=("sid",)),))


def sites(*seeds: str, **site: object) -> Sites:
    return sites_of([SiteConfig(seeds, **site)], KNOWN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seed", "settled", "why"),
    [
        ("http://www.h.example/A?sid=1", f"{H}/a", "requirements 30, 32, 37: as the host spells it"),
        ("http://G.example/A?utm_source=mail&b", "http://g.example/A?b", "a host that nobody knows"),
    ],
)
def test_seeds_are_settled(seed: str, settled: str, why: str) -> None:
    assert sites(seed).seeds == (settled,), why


def test_scope_and_pace_are_those_of_the_host_that_is_asked() -> None:
    """Requirement 32."""
    own = sites("http://www.h.example/Docs/", scope="prefix", own=True)
    assert own.refusal(f"{H}/docs/a") == ""
    assert own.refusal("http://www.h.example/Docs/a") == "scope"
    assert own.own_hosts == {H}
    assert own.pace(H) == PACES["own"]


def test_a_seed_that_is_no_url() -> None:
    with pytest.raises(EngineError, match="unusable seed 'ftp://h/'"):
        sites("ftp://h/")


def test_a_seed_that_moved_takes_its_site_along_and_what_is_known_stays() -> None:
    moved = sites(f"{H}/", own=True).joined_by(f"{H}/", "http://new.example/")
    assert moved.refusal("http://new.example/a") == ""
    assert moved.pace("http://new.example") == PACES["polite"]
    assert moved.aliases is KNOWN
