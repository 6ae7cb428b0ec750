"""Who has a spider and a pipeline of their own, by docs/extending.md alone."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.extension import FILES, PAGE, Project, bird_site
from tests.web.scripted import Site, html, prose, scripted_web

pytestmark = pytest.mark.slow

STATS = re.findall(r"^\| `([\w/]+)` \| ", PAGE.partition("## Signals and stats")[2], re.MULTILINE)
KEEP_STATS = '''"""Keeps the stats, and which signals came."""
import json
from scrapy import signals

SENT = ("spider_opened", "request_reached_downloader", "headers_received", "bytes_received",
        "response_received", "item_scraped", "item_dropped", "spider_idle", "spider_closed")

class KeepStats:
    @classmethod
    def from_crawler(cls, crawler):
        made = cls()
        made.crawler, made.came = crawler, set()
        made.receivers = [made.receiver(name) for name in SENT]
        for name, receiver in zip(SENT, made.receivers):
            crawler.signals.connect(receiver, getattr(signals, name))
        crawler.signals.connect(made.write, signals.engine_stopped)
        return made

    def receiver(self, name):
        def receive(**_):
            self.came.add(name)
        return receive

    def write(self):
        with open("stats.json", "w") as file:
            json.dump({"stats": self.crawler.stats.get_stats(), "came": sorted(self.came)}, file, default=str)
'''


@pytest.fixture
def site() -> Iterator[Site]:
    with scripted_web(bird_site()) as web:
        yield web


@pytest.fixture
def project(tmp_path: Path, site: Site) -> Project:
    return Project(tmp_path, site.url())


def test_the_page_has_the_files() -> None:
    assert [name for name, _ in FILES] == [
        "scrapy.cfg",
        "birds/settings.py",
        "birds/spiders.py",
        "birds/pipelines.py",
        "birds/signals.py",
    ]


def test_an_own_spider_and_pipeline_crawl_behind_the_same_gates(project: Project, site: Site) -> None:
    assert project.scrapy("list").stdout.split() == ["birds", "web"]
    project.crawl("-O", "sightings.json")
    assert sorted(set(site.paths)) == ["/", "/crane", "/draft", "/heron", "/robots.txt", "/sitemap.xml"]
    found = json.loads(project.scrapy("search", "trumpet", "--json").stdout)
    assert [hit["title"] for hit in found["hits"]] == ["Common crane"], "as extract() has it"
    assert json.loads(project.scrapy("search", "around", "--json").stdout)["total"] == 0
    assert json.loads(project.scrapy("search", "shallow", "--json").stdout)["total"] == 1, "by links()"
    assert json.loads(project.scrapy("search", "draft", "--json").stdout)["total"] == 0, "by the pipeline"
    items = json.loads((project.folder / "sightings.json").read_text(encoding="utf-8"))
    assert items == [{"species": "Common crane", "place": place} for place in ("Moor", "Lake")]
    said = json.loads(project.scrapy("explain", site.url("/draft"), "--json").stdout)
    assert "dropped by DropDrafts" in json.dumps(said)


ADDON = """class Careless:
    def update_settings(self, settings):
        settings["DOWNLOADER_MIDDLEWARES"] = {"engine.middleware.robots_txt.RobotsTxtMiddleware": None}
"""


@pytest.mark.parametrize(
    ("settings", "spider", "says", "why"),
    [
        ("", "custom_settings = {'ROBOTSTXT_OBEY': False}", "robots.txt is always obeyed", "of the spider"),
        ("SCHEDULER = 'scrapy.core.scheduler.Scheduler'", "", "SCHEDULER: a gate", "of the project"),
        ("ADDONS = {'birds.addon.Careless': 1}", "", "RobotsTxtMiddleware is a gate", "changed after all"),
        ("", "def parse(self, response): pass", "has a parse() of its own", "a callback of Scrapy's"),
        ("", "name = 1 / 0", "an own spider cannot be imported: ZeroDivisionError", "a broken file"),
    ],
)
def test_own_code_switches_no_gate_off(
    project: Project, site: Site, settings: str, spider: str, says: str, why: str
) -> None:
    project.write("birds/addon.py", ADDON)
    for name, added in (("settings", settings), ("spiders", f"\n    {spider}" if spider else "")):
        text = (project.folder / "birds" / f"{name}.py").read_text(encoding="utf-8")
        project.write(f"birds/{name}.py", f"{text}\n{added}\n")
    done = project.scrapy("crawl", "birds", code=2)
    assert says in done.stderr.splitlines()[-1], why
    assert site.paths == []


def test_an_own_signal_moves_pages_and_is_explained(project: Project, site: Site) -> None:
    """By its entry point; the pipeline by its own, without a setting."""
    settings = (project.folder / "birds" / "settings.py").read_text(encoding="utf-8")
    project.write("birds/settings.py", settings.partition("ITEM_PIPELINES")[0])
    toml = (project.folder / "crawl.toml").read_text(encoding="utf-8")
    words = "Weavers build nests of grass, and weavers build many. "
    site.routes["/"] = html(
        "Birds", f'{prose("birds")}<a href="/long">1</a><a href="/short">2</a><a href="/draft">3</a>'
    )
    site.routes["/short"] = html("Birds in brief", f"<p>{words}</p>")
    site.routes["/long"] = html("Birds at length", f"<p>{words * 4}{prose('long') * 20}</p>")
    project.write("crawl.toml", f"{toml}[ranking]\nsignals = {{ brevity = 9 }}\n")
    assert "dropped by DropDrafts" in project.crawl().stdout, "by its entry point"
    accounts = {}
    for path in ("/short", "/long"):
        said = project.scrapy("explain", site.url(path), "--query", "weavers", "--json").stdout
        accounts[path] = json.loads(said)["rank"]
    assert accounts["/short"]["signals"] == {"brevity": pytest.approx(9 * 0.95, abs=0.5)}
    assert accounts["/long"]["signals"] == {"brevity": 0}
    assert (accounts["/short"]["rank"], accounts["/long"]["rank"]) == (1, 2)
    project.write("crawl.toml", f"{toml}[ranking]\nsignals = {{ none = 1 }}\n")
    assert "no package that is installed offers it" in project.scrapy("rebuild", code=2).stderr


def test_what_raises_is_counted_and_loses_no_page(project: Project, site: Site) -> None:
    """And each stat and signal of the page's tables is what the crawl says."""
    project.write("birds/keep_stats.py", KEEP_STATS)
    spiders = (project.folder / "birds" / "spiders.py").read_text(encoding="utf-8")
    project.write(
        "birds/spiders.py",
        spiders.replace("        species =", "        int('/heron' in page.url and 'x')\n        species ="),
    )
    project.crawl("-s", 'EXTENSIONS={"birds.keep_stats.KeepStats": 500}')
    kept = json.loads((project.folder / "stats.json").read_text(encoding="utf-8"))
    stats = kept["stats"]
    assert [name for name in STATS if name not in stats] == []
    assert {name: stats[name] for name in STATS if name.startswith(("robots", "spider_exc", "item"))} == {
        "robotstxt/request_count": 1,
        "robotstxt/response_count": 1,
        "robotstxt/response_status_count/200": 1,
        "robotstxt/forbidden": 1,
        "item_scraped_count": 6,  # three pages, a sitemap that is missing, two sightings
        "item_dropped_count": 1,
        "item_dropped_reasons_count/DropItem": 1,
        "spider_exceptions/count": 1,
        "spider_exceptions/ValueError": 1,
    }
    asked = len(site.paths)
    names = ("downloader/request_count", "downloader/response_count", "response_received_count")
    assert [stats[name] for name in names] == [asked] * 3
    assert (stats["downloader/response_status_count/200"], stats["finish_reason"]) == (asked - 1, "finished")
    assert set(kept["came"]) == set(
        re.findall(r'"(\w+)"', KEEP_STATS.partition("SENT = (")[2].partition(")")[0])
    )
    hits = json.loads(project.scrapy("search", "shallow", "--json").stdout)["hits"]
    assert [hit["title"] for hit in hits] == ["Page 2"], "as Lycosa reads it"


@pytest.mark.parametrize(
    ("words", "code", "says", "why"),
    [
        (("fetch", "{}crane"), 0, "data-href", "the body"),
        (("fetch", "{}crane", "--headers"), 0, "> User-Agent: Lycosa/", "who asks"),
        (("fetch", "{}private/x"), 2, "may not be fetched", "robots.txt"),
        (("fetch", "{}crane", "-s", "ALLOW_PRIVATE=none.example"), 2, "allow_private", "the address guard"),
        (("fetch", "{}crane", "-s", "CRAWL_TOML=none"), 2, "tell the owner", "nobody is asked anonymously"),
        (("fetch", "ftp://h.example/"), 2, "scrapy fetch: ", "no http"),
        (("shell", "{}crane", "-c", "response.css('.species::text').get()"), 0, "Common crane", "a value"),
        (("shell", "{}private/x", "-c", "response"), 2, "may not be fetched", "robots.txt"),
        (("shell", "-c", "fetch('{}private/x')"), 2, "may not be fetched", "in the console, too"),
        (("parse", "{}crane", "--spider", "birds"), 0, "title: Common crane", "what extract makes"),
        (("parse", "{}crane", "--spider", "birds"), 0, "{}heron", "what links makes"),
        (("parse", "{}crane", "--spider", "birds"), 0, "'place': 'Lake'", "what items makes"),
        (("parse", "{}crane"), 0, "title: Page 1", "as it is read without hooks"),
        (("parse", "{}private/x"), 2, "may not be fetched", "robots.txt"),
        (("check", "birds"), 0, "2 contracts checked; all hold", "its contracts"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else None,
)
def test_commands_of_scrapy_obey_the_gates(
    project: Project, site: Site, words: tuple[str, ...], code: int, says: str, why: str
) -> None:
    done = project.scrapy(*(word.format(site.url()) for word in words), code=code)
    assert says.format(site.url()) in (done.stderr if code else done.stdout), why
    assert "/private/x" not in site.paths
    assert not (project.folder / "data").exists(), "nothing is stored"
    assert not code or (done.stderr.count("\n") == 1 and "Traceback" not in done.stderr)
