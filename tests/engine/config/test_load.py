"""crawl.toml: what the operator wrote, and the one line that says how to mend it."""

import re
import tomllib
from pathlib import Path

import pytest

from engine.config import (
    EXAMPLE,
    READABLE,
    TYPES,
    Config,
    Duplicates,
    Hours,
    LimitsConfig,
    ScreeningConfig,
    SiteConfig,
    load_config,
)
from engine.errors import EngineError
from engine.url import NO_ALIASES, KnownHost


def read(folder: Path, text: str | None, **settings: str) -> Config:
    path = folder / "crawl.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    return load_config({"CRAWL_TOML": str(path), "DATA_DIR": str(folder / "data"), **settings})


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    config = read(tmp_path, None)
    assert (config.contact, config.public_url, config.allow_private, config.sites) == ("", "", (), ())


def test_all_that_can_be_written(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        'contact = "a@b.example"\nallow_private = ["intranet"]\npublic_url = "https://search.example/"\n'
        '[[site]]\nseeds = ["http://a.example/"]\nscope = "domain"\ninclude = "/docs/"\n'
        'exclude = "x$"\nown = true\ntrust_404 = true\nprofile = "brisk"\nrender = "auto"\n'
        'render_hosts = ["CDN.example", "https://static.example:8443"]\n'
        '[[site]]\nseeds = ["seeds.txt"]\n'
        '[schedule]\ncrawl = "0 3 * * *"\n',
    )
    first, second = config.sites
    assert config.contact == "a@b.example"
    assert config.public_url == "https://search.example"
    assert config.allow_private == ("intranet",)
    assert (first.scope, first.own, first.trust_404, first.profile) == ("domain", True, True, "brisk")
    assert (first.render, second.render) == ("auto", "never")
    assert first.render_hosts == {
        "http://cdn.example",
        "https://cdn.example",
        "https://static.example:8443",
    }
    assert first.include
    assert first.include.pattern == "/docs/"
    assert second == SiteConfig(("seeds.txt",))
    assert (config.schedule.crawl, config.schedule.rebuild) == ("0 3 * * *", "")


@pytest.mark.requirement(30, 31, 32, 37)
def test_what_is_known_of_hosts(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        'tracking_params = ["utm_*"]\n[[host]]\nname = "Bücher.example"\n'
        'aliases = ["https://b.example:443/", "b.example:81"]\nignore_case = true\n'
        'index_names = ["index.html", "ü.html"]\ndrop_params = ["sid", "s 1*"]\n'
        '[[host]]\nname = "https://c.example:8443"\n',
    )
    first, second = config.aliases.hosts
    assert first == KnownHost(
        hosts=("http://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        aliases=("https://b.example", "http://b.example:81", "https://b.example:81"),
        ignore_case=True,
        index_names=("index.html", "%C3%BC.html"),
        drop_params=("sid", "s%201*"),
    )
    assert second == KnownHost(("https://c.example:8443",))
    assert config.aliases.tracking == ("utm_*",)


def test_tracking_parameters_go_unless_the_operator_keeps_them(tmp_path: Path) -> None:
    assert read(tmp_path, "").aliases == NO_ALIASES
    assert read(tmp_path, "tracking_params = []").aliases.tracking == ()


@pytest.mark.requirement(44, 45, 63, 261, 271, 280)
def test_how_far_a_crawl_may_go(tmp_path: Path) -> None:
    """The table [limits]."""
    assert read(tmp_path, "[limits]").limits == read(tmp_path, None).limits == LimitsConfig()
    config = read(
        tmp_path,
        "[limits]\nmax_depth = 3\nhost_pages = 7\nqueries_per_path = 5\nhost_pages_per_day = 50\n"
        "exclude_dynamic = 'all'\n"
        "requests_per_second = 20\nhost_requests_per_second = 1\nbytes_per_second = 1_000_000\n"
        "quiet_hours = ['22:00-06:30', '12:00-13:00']\nseen_urls = 'exact'\npage_cpu_seconds = 5\n"
        "free_megabytes = 300\nhost_megabytes = 2",
    )
    assert config.limits == LimitsConfig(
        max_depth=3,
        queries_per_path=5,
        host_pages=7,
        host_pages_per_day=50,
        exclude_dynamic="all",
        requests_per_second=20,
        host_requests_per_second=1,
        bytes_per_second=1_000_000,
        quiet_hours=(Hours(1320, 390), Hours(720, 780)),
        exact_seen=True,
        page_cpu_seconds=5,
        free_bytes=300_000_000,
        host_bytes=2_000_000,
    )


@pytest.mark.requirement(262)
@pytest.mark.parametrize(
    ("written", "types", "why"),
    [
        ("", READABLE, "all that can be read"),
        ("types = ['html']", {"text/html", "application/xhtml+xml"}, "a word"),
        ("types = ['PDF', 'text/plain']", {"application/pdf", "text/plain"}, "a media type is one, too"),
    ],
)
def test_what_is_read(tmp_path: Path, written: str, types: set[str], why: str) -> None:
    assert read(tmp_path, written).types == types, why


def test_the_example_names_every_type() -> None:
    written = re.search(r"(?m)^# (types = .*)$", EXAMPLE.read_text(encoding="utf-8"))
    assert written
    assert tomllib.loads(written[1])["types"] == list(TYPES)


def test_zero_is_no_bound_where_the_example_says_so(tmp_path: Path) -> None:
    limits = read(tmp_path, "[limits]\nhost_pages_per_day = 0\nbytes_per_second = 0\nquiet_hours = []").limits
    assert (limits.host_pages_per_day, limits.bytes_per_second, limits.quiet_hours) == (None, None, ())


def test_the_example_names_every_limit_with_its_default(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").partition("[limits]\n")[2].partition("\n\n")[0]
    written = re.sub(r"(?m)^# ", "", lines)
    config = read(tmp_path, f"[limits]\n{written}")
    assert config.limits == LimitsConfig()
    assert len(written.splitlines()) == len(LimitsConfig.__dataclass_fields__)


@pytest.mark.requirement(85)
def test_what_must_not_get_in(tmp_path: Path) -> None:
    """The table [screening]; the example says what is so without it."""
    usual = ScreeningConfig(quarantine_secrets=True)
    assert read(tmp_path, "[screening]").screening == read(tmp_path, "").screening == usual
    phrases = "boilerplate_phrases = ['Tea  break', '茶歇时间']"
    config = read(tmp_path, f"[screening]\n{phrases}\nquarantine_secrets = false")
    assert config.screening == ScreeningConfig(("Tea break", "茶歇时间"), quarantine_secrets=False)
    lines = EXAMPLE.read_text(encoding="utf-8").partition("[screening]\n")[2].partition("\n\n")[0]
    assert read(tmp_path, "[screening]\n" + re.sub(r"(?m)^# ", "", lines)).screening == ScreeningConfig()


def test_settings_come_before_the_file(tmp_path: Path) -> None:
    text = 'contact = "a@b.example"\nallow_private = ["intranet"]'
    config = read(tmp_path, text, CONTACT="c@d.example", ALLOW_PRIVATE="one, two:81")
    assert config.contact == "c@d.example"
    assert config.allow_private == ("one", "two:81")


def test_the_example_can_be_read(tmp_path: Path) -> None:
    config = read(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
    assert config.sites[0].seeds == ("https://www.example.org/",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("contact = ", "crawl.toml: Invalid value (at end of document)"),
        ("contact = 3", "line 1: contact: write text in quotes"),
        ("\nallow_private = 'x'", "line 2: allow_private: write a list"),
        ("contcat = 'x'", "line 1: contcat is unknown; write one of contact"),
        ("[site]\nseeds = ['http://a.example/']", "line 1: site: write [[site]] above"),
        ("[[site]]\nscope = 'host'", "a [[site]] needs seeds"),
        (
            "[[site]]\nseeds = ['x']\nscope = 'planet'",
            "line 3: scope: unknown 'planet'; write one of host, domain",
        ),
        ("[[site]]\nseeds = ['x']\ninclude = '('", "line 3: include: '(' is not a regular expression"),
        ("[[site]]\nseeds = ['x']\nown = 'yes'", "line 3: own: write true or false"),
        ("[[site]]\nseeds = ['x']\ntrust_404 = true", "line 3: trust_404 is for your own sites"),
        (
            "[[site]]\nseeds = ['x']\nrender = 'yes'",
            "line 3: render: unknown 'yes'; write one of never",
        ),
        (
            "[[site]]\nseeds = ['x']\nrender_hosts = ['cdn.example']",
            "line 3: render_hosts is for pages that are rendered; write render",
        ),
        (
            "[[site]]\nseeds = ['x']\nrender = 'auto'\nrender_hosts = ['cdn.example/npm/']",
            "line 4: render_hosts: 'cdn.example/npm/': more than a host; write, for example",
        ),
        (
            "[[site]]\nseeds = ['x']\nrender = 'auto'\nrender_hosts = ['*.example']",
            "line 4: render_hosts: '*.example': each host by its name; write, for example",
        ),
        ("[[site]]\nseeds = ['x']\nprofile = 'rude'", "line 3: profile: unknown 'rude'"),
        ("[[site]]\nseeds = ['x']\ndepth = 3", "line 3: depth is unknown; write one of seeds"),
        ("[[site]]\nseeds = ['x']\n[[site]]\nseeds = ['x']\n[[site]]\n", "line 5: site: a [[site]] needs"),
        ("[[site]]\nseeds = ['x']\nown = true\n[[site]]\nseeds = ['x']\nown = 1", "line 6: own: write true"),
        ("site = [{seeds = ['x'], own = true}, {seeds = ['x'], own = 1}]", "toml: own: write true"),
        ("tracking_params = 'utm_*'", "line 1: tracking_params: write a list of texts"),
        (
            "tracking_params = ['a=b']",
            "line 1: tracking_params: 'a=b': no name of a parameter; write, for example,",
        ),
        ("[host]\nname = 'h'", "line 1: host: write [[host]] above"),
        ("[[host]]\nignore_case = true", "line 1: host: a [[host]] needs name = "),
        (
            "[[host]]\nname = 'h/a'",
            "line 2: name: 'h/a': more than a host; write, for example, \"www.example.org\"",
        ),
        ("[[host]]\nname = 'h:x'", "line 2: name: 'h:x': "),
        ("[[host]]\nname = 'ftp://h'", "line 2: name: 'ftp://h': no http(s) URL"),
        ("[[host]]\nname = 'h'\naliases = ['']", "line 3: aliases: '': "),
        ("[[host]]\nname = 'h'\naliases = ['http://u@a']", "line 3: aliases: 'http://u@a': a URL with user"),
        ("[[host]]\nname = 'h'\nignore_case = 1", "line 3: ignore_case: write true or false"),
        ("[[host]]\nname = 'h'\nindex_names = 'a'", "line 3: index_names: write a list of texts"),
        (
            "[[host]]\nname = 'h'\nindex_names = ['/index.html']",
            "'/index.html': no name of a page; write, for example",
        ),
        ("[[host]]\nname = 'h'\nindex_names = ['..']", "'..': no name of a page"),
        ("[[host]]\nname = 'h'\ndrop_params = ['a*b']", "line 3: drop_params: 'a*b': no name of a parameter"),
        ("[[host]]\nname = 'h'\ndrop_params = ['']", "line 3: drop_params: '': no name of a parameter"),
        ("[[host]]\nname = 'h'\nindex = []", "line 3: index is unknown; write one of name, aliases"),
        (
            "[[host]]\nname = 'h'\naliases = ['b', 'a']\n[[host]]\nname = 'https://a'",
            "line 5: name: https://a is in an earlier [[host]]; write it once",
        ),
        ("limits = 3", "line 1: limits: write [limits] above its lines"),
        ("[limits]\ndeep = 3", "line 2: deep is unknown; write one of max_depth, queries_per_path"),
        ("[limits]\nmax_depth = 0", "line 2: max_depth: write a whole number from 1 to 999999999"),
        ("[limits]\nmax_depth = true", "line 2: max_depth: write a whole number from 1"),
        ("[limits]\nmax_depth = -1", "line 2: max_depth: write a whole number from 1"),
        ("[limits]\nqueries_per_path = 2.5", "line 2: queries_per_path: write a whole number from 1"),
        ("[limits]\nhost_pages = '9'", "line 2: host_pages: write a whole number from 1"),
        ("[limits]\nhost_pages_per_day = -1", "line 2: host_pages_per_day: write a whole number from 0"),
        ("[limits]\nhost_pages_per_day = false", "host_pages_per_day: write a whole number from 0"),
        (f"[limits]\nbytes_per_second = 1{'0' * 30}", "line 2: bytes_per_second: write a whole number"),
        ("[limits]\nrequests_per_second = 0", "line 2: requests_per_second: write a whole number from 1"),
        ("[limits]\nhost_requests_per_second = 0", "host_requests_per_second: write a whole number from 1"),
        ("[limits]\nexclude_dynamic = 'some'", "line 2: exclude_dynamic: unknown 'some'; write one of cgi"),
        ("[limits]\nseen_urls = 'bloom'", "line 2: seen_urls: unknown 'bloom'; write one of compact, exact"),
        ("[limits]\nquiet_hours = '22:00-06:00'", "line 2: quiet_hours: write a list of texts"),
        ("[limits]\nquiet_hours = ['10pm-6am']", "'10pm-6am': no hours; write, for example, \"22:00-06:30\""),
        ("[limits]\nquiet_hours = ['24:00-06:00']", "line 2: quiet_hours: '24:00-06:00': no hours"),
        ("[limits]\nquiet_hours = ['6:00-07:00']", "line 2: quiet_hours: '6:00-07:00': no hours"),
        ("[limits]\nquiet_hours = ['06:00-06:00']", "'06:00-06:00': hours that end when they begin; write"),
        ("[limits]\nquiet_hours = ['06:00-20:00', '20:00-06:00']", "no minute of the day is left; write"),
        ("[screening]\nphrase = ['x']", "line 2: phrase is unknown; write one of boilerplate_phrases"),
        ("[screening]\nquarantine_secrets = 'no'", "line 2: quarantine_secrets: write true or false"),
        ("[screening]\nboilerplate_phrases = ['  a b ']", "'  a b ': a phrase has 4 characters at least"),
        (f"[screening]\nboilerplate_phrases = {['long'] * 1001}", "phrases: write 1,000 phrases at most"),
        ("types = 'pdf'", "line 1: types: write a list of texts"),
        (
            "types = ['doc']",
            "line 1: types: 'doc': no type that can be read; there are html, text, docx, pptx, xlsx, "
            "odt, ods, odp, rtf, epub, pdf",
        ),
        ("types = []", "line 1: types: no type is left; write, for example,"),
        ("[limits]\npage_cpu_seconds = 0", "line 2: page_cpu_seconds: write a whole number from 1"),
        ("[schedule]\ncrawl = 'daily'", "line 2: crawl: 'daily' is not a cron time; write five fields"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(EngineError) as error:
        read(tmp_path, text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_bytes(b"contact = '\xff'")
    with pytest.raises(EngineError, match="cannot be read"):
        read(tmp_path, None)


@pytest.mark.requirement(57, 58)
def test_which_pages_are_copies(tmp_path: Path) -> None:
    """Near duplicates are found unless the operator wants exact mode."""
    assert read(tmp_path, None).duplicates == Duplicates(near_duplicates=True, require_same_links=False)
    written = read(tmp_path, "[duplicates]\nnear_duplicates = false\nrequire_same_links = true").duplicates
    assert written == Duplicates(near_duplicates=False, require_same_links=True)
    with pytest.raises(EngineError, match="line 2: near_duplicates: write true or false"):
        read(tmp_path, "[duplicates]\nnear_duplicates = 'no'")
    with pytest.raises(EngineError, match="line 2: far is unknown; write one of near_duplicates"):
        read(tmp_path, "[duplicates]\nfar = true")
