"""Nights of crawls on a fake clock over real servers, whose alarms go to a real webhook and mailbox."""

import http.client
import os
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from engine.alerts import AlertWatch, CrawlWatch
from engine.config import load_config
from engine.crawl import Crawl, Limits
from engine.folder import FreeSpace
from engine.frontier.sites import build_sites
from engine.index.indexing import Follower
from engine.model.page import Claim, Fetch, Reading
from engine.store.page_store import Store
from tests.crawling import Clock, Web, reading, step
from tests.engine.index.killing import dies
from tests.receivers import Mailbox, Webhook
from tests.web.scripted import ANY, Answer, Site, anchors, html, prose

PAGES = 12
LINKS = [f"/{n}" for n in range(1, PAGES)]
DAY, MINUTE = 86_400.0, 60.0
GIGABYTE = 1_000_000_000
NAP = 5.0  # seconds of the fake clock, after which who waits looks again
STEPS = 20_000  # of one night; a crawl that takes more does not end


@dataclass
class Host:
    """A real server that may die, come back, and change its robots.txt."""

    address: str
    robots: Answer = field(default_factory=lambda: Answer(404))
    port: int = 0
    _site: Site | None = None

    @property
    def url(self) -> str:
        """Without a slash at its end."""
        return f"http://{self.address}:{self.port}"

    def start(self) -> None:
        """Listens, at the port that it had before."""
        if self._site is None:
            self._site = Site({ANY: self._answer}, self.address, self.port)
            self.port = self._site.__enter__().port

    def stop(self) -> None:
        """Refuses connections from now on."""
        if self._site is not None:
            self._site.__exit__()
            self._site = None

    def _answer(self, path: str) -> Answer:
        if path == "/robots.txt":
            return self.robots
        links = LINKS if path == "/" else []
        return html(f"Page {path}", prose(path) + anchors(links)) if path in ("/", *LINKS) else Answer(404)


class RealWeb(Web):
    """Asks real servers; an exchange takes a tenth of a second of the fake clock."""

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        started, clock.now = clock.now, clock.now + self.seconds
        parts = urlsplit(claim.url)
        try:
            with closing(http.client.HTTPConnection(parts.netloc, timeout=10)) as connection:
                connection.request("GET", parts.path)
                answer = connection.getresponse()
                body = answer.read()
        except OSError:
            return Fetch(claim, 0, [], b"", "connection refused", started, self.seconds), None
        fetch = Fetch(claim, answer.status, [], body, "", started, self.seconds, received=len(body))
        links = [urljoin(claim.url, link) for link in re.findall(r'href="([^"]+)"', body.decode())]
        return fetch, reading(claim.url, links) if answer.status == 200 else None


class Disk:
    """One whose free room is what the script says."""

    free = 500 * GIGABYTE
    filled_at: float | None = None

    def usage(self, path: Path) -> "Disk":
        self.total = self.used = 1_000 * GIGABYTE
        return self


@dataclass
class AlarmNights:
    """A crawl each night at eight, and the schedule that watches; who looks, looks each minute."""

    folder: Path
    hosts: list[Host]
    hook: Webhook
    box: Mailbox
    clock: Clock = field(default_factory=Clock)
    web: RealWeb = field(default_factory=lambda: RealWeb({}))

    def __post_init__(self) -> None:
        at = datetime.fromtimestamp(self.clock.now)
        seeds = ", ".join(f'"{host.url}/"' for host in self.hosts)
        toml = (
            f'contact = "a@b.example"\n[[site]]\nseeds = [{seeds}]\n'
            f'[schedule]\ncrawl = "{at.minute} {at.hour} * * *"\n[alerts]\nwebhook = "{self.hook.url}"\n'
            f'smtp = "127.0.0.1:{self.box.port}"\nsmtp_security = "none"\nmail_to = ["you@b.example"]\n'
        )
        path = self.folder / "crawl.toml"
        path.write_text(toml, encoding="utf-8")
        self.config = load_config({"CRAWL_TOML": str(path), "DATA_DIR": str(self.folder)})
        self.schedule = AlertWatch(self.config, self.clock, is_crawling=False)
        self._looked = self._began = self.clock.now

    def told(self) -> list[str]:
        """What has come by the webhook since the last call, as STATUS KIND SUBJECT."""
        lines = [f"{one['status']} {one['kind']} {one['subject']}".strip() for one in self.hook.posted]
        names = {host.url: f"host {number}" for number, host in enumerate(self.hosts, 1)}
        for url, name in names.items():
            lines = [line.replace(url, name) for line in lines]
        mailed = [mail["Message-ID"] for mail in self.box.mails]
        assert mailed == [f"<{one['id']}.{one['status']}@b.example>" for one in self.hook.posted]
        self.hook.posted.clear()
        self.box.mails.clear()
        return lines

    def wait(self, seconds: float, pause: float = 5 * MINUTE) -> None:
        """Nothing runs but the schedule, which looks now and then: each minute would take too long."""
        ends = self.clock.now + seconds
        while self.clock.now < ends:
            self.clock.now = min(self.clock.now + pause, ends)
            self.schedule.look()

    def day_after(self) -> None:
        """Until the next night begins."""
        self._began += DAY
        self.wait(self._began - self.clock.now, 60 * MINUTE)

    def killed_night(self, pages: int) -> None:
        """`scrapy crawl web` in a process of its own, until it has so many pages: kill -9."""
        told, tell = os.pipe()

        def begin(kill: Callable[..., None]) -> None:
            def look(found: int) -> None:
                if found >= pages:
                    os.write(tell, f"{self.clock.now} {self._looked}".encode())
                    kill()

            self.night(look)

        dies(begin)
        self.clock.now, self._looked = map(float, os.read(told, 100).split())
        os.close(told)
        os.close(tell)
        with closing(Store(self.folder)) as store:
            Follower(store, self.folder).catch_up()

    def night(self, meanwhile: Callable[[int], None] = lambda pages: None) -> None:
        """`scrapy crawl web`, to its end; `meanwhile` is told how many pages it has."""
        disk = FreeSpace(self.folder, self.config.limits.free_bytes)
        sites = build_sites(self.config.sites)
        crawl = Crawl(Store(self.folder), sites, Limits(disk_space=disk), self.clock, lambda: 0.0)
        crawl.open()
        crawl.recorder.open(self.folder, crawl.run.round.number, 30, print)
        watch = CrawlWatch(self.config, crawl.frontier, lambda: crawl.discovery.sites, self.clock)
        for _ in range(STEPS):
            meanwhile(crawl.counters.pages)
            before = self.clock.now
            if not step(crawl, self.web, self.clock):
                crawl.close("finished")
                break
            self.clock.now = min(self.clock.now, before + NAP)
            self._look(crawl, watch)
        else:
            raise AssertionError("the crawl does not end")
        crawl.recorder.close()
        Follower(crawl.store, self.folder).catch_up()
        watch.end()
        crawl.store.close()

    def _look(self, crawl: Crawl, watch: CrawlWatch) -> None:
        """The crawl and the schedule look, each minute; the index follows, while the disk has room."""
        if self.clock.now - self._looked >= MINUTE:
            self._looked = self.clock.now
            if not FreeSpace(self.folder, self.config.limits.free_bytes).shortage():
                Follower(crawl.store, self.folder).step()
            watch.look(watch.judge())
            self.schedule.look()


def watched_disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk of which the script says how full it is."""
    disk = Disk()
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    return disk
