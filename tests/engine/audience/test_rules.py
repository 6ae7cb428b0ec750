"""Who may see a page follows from its URL and crawl.toml."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.audience import (
    EVERYBODY,
    NOBODY,
    OPERATOR,
    AudienceRule,
    AudienceRules,
    View,
    find_view,
    load_audience_rules,
    read_audience_rules,
)
from engine.config import AudienceConfig, load_config
from engine.errors import EngineError
from engine.generations import ClusterGeneration
from engine.index.indexing.opening import create_index
from engine.index.reader import IndexCache
from engine.model.page import Link, Links, Reading
from engine.opensearch import ClusterIndex
from engine.ranking import Ranking
from engine.robots import Directives
from engine.search import open_snapshot
from tests.audiences import AUDIENCES

SITES = """
[[site]]
seeds = ["https://www.example.org/"]
scope = "domain"

[[site]]
seeds = ["https://staff.example.org/start"]
audience = "staff"
include = "/public/"

[[site]]
seeds = ["https://www.example.org/hr/"]
scope = "prefix"
audience = "staff"

[[site]]
seeds = ["https://staff.example.org/open/"]
scope = "prefix"
audience = "everyone"

[[label]]
name = "Board"
sites = ["board.example.org", "www.example.org/hr/board/"]
audience = "board"
"""
REQUIRED = [
    ("https://www.example.org/", "", "a site without an audience"),
    ("https://staff.example.org/", "staff", "a host"),
    ("http://staff.example.org/", "staff", "its other scheme, as the scope has it"),
    ("https://staff.example.org/public/", "staff", "`include` narrows the crawl, and opens nothing"),
    ("https://staff.example.org/open/", "staff", "`everyone` beside an audience opens nothing"),
    ("https://staff.example.org:8443/", "", "another port is another host"),
    ("https://a.staff.example.org/", "", "nor is a host below it the host"),
    ("https://www.example.org/hr/", "staff", "a folder"),
    ("https://www.example.org/hr", "", "the page above it"),
    ("https://www.example.org/hr/board/", "board staff", "a label within a site: both are required"),
    ("https://x.board.example.org/", "board", "a label has all below its name"),
    ("https://notboard.example.org/", "", "but no name that ends like it"),
]


def rules_of(tmp_path: Path, text: str) -> AudienceRules:
    toml = tmp_path / "crawl.toml"
    toml.write_text(text, encoding="utf-8")
    return read_audience_rules(load_config({"CRAWL_TOML": toml, "DATA_DIR": tmp_path}))


def test_a_url_requires_audiences(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, AUDIENCES + SITES)
    for url, required, why in REQUIRED:
        assert " ".join(sorted(rules.require(url))) == required, why
        assert load_audience_rules(rules.dump()).require(url) == rules.require(url), why
    assert load_audience_rules(rules.dump()).digest == rules.digest


def test_a_default_holds_where_nothing_is_written() -> None:
    login = AudienceRule(NOBODY, "pattern", ("https://in.example.org",), is_default=True)
    site = AudienceRule("staff", "host", ("https://in.example.org/",))
    opened = replace(site, audience="everyone")
    url = "https://in.example.org/a"
    assert AudienceRules((login,)).require(url) == {NOBODY}
    assert AudienceRules((login, site)).require(url) == {"staff"}
    assert AudienceRules((login, opened)).require(url) == frozenset()


LOGIN = """
[[login]]
host = "in.example.org"
kind = "bearer"
secret_env = "S"
"""


@pytest.mark.parametrize(
    ("url", "written", "required", "why"),
    [
        ("https://in.example.org/a", "", "nobody", "until somebody is named"),
        ("https://in.example.org/a", "everyone", "", "or everyone"),
        ("https://in.example.org/a", "staff", "staff", "an audience"),
        ("http://in.example.org/", "", "", "another scheme: what was fetched there was shown to anybody"),
        ("https://in.example.org:8443/", "", "", "another port"),
        ("https://www.in.example.org/", "", "", "a host below it"),
    ],
)
def test_nobody_sees_what_is_behind_a_login(
    tmp_path: Path, url: str, written: str, required: str, why: str
) -> None:
    site = f'[[site]]\nseeds = ["https://in.example.org/"]\naudience = "{written}"' if written else ""
    rules = rules_of(tmp_path, f"{AUDIENCES}{LOGIN}{site}")
    assert " ".join(rules.require(url)) == required, why


def test_a_cluster_keeps_what_is_behind_a_login_only_if_it_is_open(tmp_path: Path) -> None:
    cluster = 'database = "postgresql://u@h/d"\nindex = "opensearch+https://h:9200/i"\n'
    site = '[[site]]\nseeds = ["https://in.example.org/"]\naudience = "everyone"'
    with pytest.raises(EngineError, match="cluster hides no pages"):
        rules_of(tmp_path, cluster + LOGIN)
    assert rules_of(tmp_path, cluster + LOGIN + site).require("https://in.example.org/") == frozenset()


def test_a_cluster_has_no_views(tmp_path: Path) -> None:
    """Whatever asks for one: it would answer with all that there is."""
    generation = ClusterGeneration(ClusterIndex("opensearch+https://h:9200/i", "postgresql://u@h/d"), "i-1")
    with pytest.raises(EngineError, match="hides other pages"):
        open_snapshot(generation, IndexCache(), Ranking(), replace(EVERYBODY, digest=HIDDEN.digest))
    with pytest.raises(EngineError, match="hides no pages"):
        create_index(generation, "source", HIDDEN)


MISTAKES = [
    ('[[site]]\nseeds = ["https://a.example/"]\naudience = "staff"', '"staff" is not defined', "no such one"),
    (AUDIENCES + '[[site]]\nseeds = ["urls.txt"]\naudience = "staff"', "URLs of its seeds", "a file"),
    (
        '[[audience]]\nname = "staff"\ngroups = ["x"]',
        "needs \\[oidc\\], or trusted_proxies",
        "nobody tells who asks",
    ),
    (
        '[serve]\ntrusted_proxies = ["127.0.0.1"]\n[[audience]]\nname = "staff"\ngroups = ["x"]',
        "and user_header",
        "a proxy that may pass on what clients claim",
    ),
    ('[[audience]]\nname = "staff"', "say who is in it", "nobody is"),
    (AUDIENCES + '[[label]]\nname = "A"\nsites = ["/hr"]\naudience = "staff"', "no host", "hides nothing"),
    ('[[audience]]\nname = "nobody"\nusers = ["*"]', "have a meaning", "a word of ours"),
    ('[[audience]]\ngroups = ["x"]', "needs a name", "none"),
    ('[[audience]]\nname = "a"\ngroups = ["x,y"]', "no name of a user or a group", "two in one"),
    (AUDIENCES + '[[audience]]\nname = "staff"\ngroups = ["x"]', "earlier", "twice"),
    ('[serve]\nuser_header = "X User"', "no name of a header", "a space"),
    (
        'database = "postgresql://u@h/d"\nindex = "opensearch+https://h:9200/i"\n' + AUDIENCES + SITES,
        "cluster hides no pages",
        "a cluster",
    ),
]


@pytest.mark.parametrize(("text", "told", "why"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_a_mistake_is_told(tmp_path: Path, text: str, told: str, why: str) -> None:
    with pytest.raises(EngineError, match=told):
        rules_of(tmp_path, text)


MEMBERS = (
    AudienceConfig("staff", groups=frozenset({"staff", "board"})),
    AudienceConfig("ada's", frozenset({"ada"})),
    AudienceConfig("known", frozenset({"*"})),
)


@pytest.mark.parametrize(
    ("user", "groups", "audiences", "why"),
    [
        ("", "staff", "", "nobody has logged in, whatever groups are named"),
        ("bob", "", "known", "who has"),
        ("bob", "board other", "known staff", "one of the groups"),
        ("ada", "", "ada's known", "a name"),
        ("*", "", "known", "no wildcard of whoever is called so"),
        ("Ada", "STAFF", "known", "names are what the directory says, letter for letter"),
    ],
)
def test_who_is_in_which_audience(user: str, groups: str, audiences: str, why: str) -> None:
    assert find_view(MEMBERS, user, groups.split()) == View(frozenset(audiences.split())), why


@pytest.mark.parametrize(
    ("view", "required", "is_seen", "why"),
    [
        (EVERYBODY, "", True, "an open page"),
        (EVERYBODY, "staff", False, "a hidden one"),
        (View(frozenset({"staff"})), "staff", True, "its readers"),
        (View(frozenset({"staff"})), "staff board", False, "one of two is not enough"),
        (View(frozenset({"nobody"})), "nobody", False, "nobody is nobody, whatever a group is called"),
        (OPERATOR, "nobody", True, "all is in the operator's folder"),
    ],
)
def test_a_view_admits(view: View, required: str, is_seen: bool, why: str) -> None:
    assert view.admits(frozenset(required.split())) is is_seen, why


HIDDEN = AudienceRules(
    (
        AudienceRule("staff", "host", ("https://staff.example/", "https://desk.example/")),
        AudienceRule("board", "host", ("https://board.example/",)),
    )
)


def test_equal_pages_of_other_readers_are_no_copies() -> None:
    read = Reading(
        "en", "text/html", Directives(), b"f" * 16, [], b"", near=(1, -(2**63), 2**63 - 1, 0, 5, 6)
    )
    open_, staff, desk, board = (
        HIDDEN.seal(read, f"https://{name}.example/") for name in ("www", "staff", "desk", "board")
    )
    assert open_ == read, "what everybody may see stays as it was"
    assert staff == desk, "of the same readers they are"
    for one, other in ((open_, staff), (staff, board), (open_, board)):
        assert one.fingerprint != other.fingerprint
        assert not set(one.near) & set(other.near)
    assert all(-(2**63) <= key < 2**63 for key in staff.near), "they fit into a column"
    assert len(staff.fingerprint) == 16


@pytest.mark.parametrize(
    ("page", "kept", "why"),
    [
        ("https://www.example/", "www staff desk board", "an open page: whoever reads it sees them"),
        ("https://staff.example/", "staff desk", "a hidden one: to its readers' pages"),
        ("https://board.example/", "board", "and not to other hidden ones"),
    ],
)
def test_of_a_hidden_page_others_learn_no_link(page: str, kept: str, why: str) -> None:
    names = ["www", "staff", "desk", "board"]
    links = Links.of(Link(f"https://{name}.example/x", name) for name in names)
    assert " ".join(HIDDEN.select_links(page, links).anchors) == kept, why
