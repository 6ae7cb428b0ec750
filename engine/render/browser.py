"""Runs one Chromium without any network, in its sandbox, and within bounds of memory.

It has a network namespace of its own, with nothing in it: whatever a page finds to send a request by, the
kernel has nowhere to send it. What engine.render.page_requests answers comes through a pipe.
It is started when a page needs it, and again after so many pages, as browsers grow.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from engine.errors import EngineError, PageError
from engine.render.library import find_chromium, import_playwright

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright

LAUNCHER = Path(__file__).with_name("launcher")
MAX_DATA = 1 << 30  # bytes of data of each process (RLIMIT_DATA); an ordinary page takes 100 MB
MAX_HEAP = 512  # MB of what scripts of a page may hold; V8 ends the page beyond
MAX_PAGES = 200  # of one browser; then another is started
START_SECONDS = 30.0  # half a second is usual
CLOSE_SECONDS = 5.0  # for a page or a browser; what hangs longer is killed
SANDBOXED = "2"  # seccomp mode of a filter (proc(5)), which none but a sandboxed renderer has

SANDBOX_SECONDS = 5.0  # for a process to enter the sandbox
LOOK_SECONDS = 0.05

BROWSER_ENDED = "its browser ended"  # a kind of PageError: not by this page's fault, as far as one knows
SWITCHES = (
    # Names are looked up by other programs, which have a network (systemd-resolved): not for it.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--renderer-process-limit=4",
    f"--js-flags=--max-old-space-size={MAX_HEAP}",
)


class Chromium:
    """Opens pages, each in a context of its own: nothing of one is left for the next."""

    def __init__(self, user_agent: str) -> None:
        import_playwright()
        self._executable = find_chromium()
        self._user_agent = user_agent
        self._starting = asyncio.Lock()
        self._process: _ChromiumProcess | None = None

    @asynccontextmanager
    async def open_page(self) -> "AsyncIterator[Page]":
        """Opens an empty page; whatever becomes of it, it is closed. Raises PageError, EngineError."""
        process = await self._take()
        try:
            async with process.open_page(self._user_agent) as page:
                yield page
        finally:
            process.open_pages -= 1
            if process.is_over and not process.open_pages:
                await self._end(process)

    async def check(self) -> None:
        """Starts a browser and ends it. Raises EngineError where it does not start, or without a sandbox."""
        process = await _ChromiumProcess.start(self._executable)
        await process.close()

    async def close(self) -> None:
        """Ends the browser."""
        if self._process:
            await self._end(self._process)

    async def _take(self) -> "_ChromiumProcess":
        async with self._starting:
            if self._process is None or self._process.is_over:
                self._process = await _ChromiumProcess.start(self._executable)
            self._process.pages += 1
            self._process.open_pages += 1
            return self._process

    async def _end(self, process: "_ChromiumProcess") -> None:
        if process is self._process:
            self._process = None
        await process.close()


class _ChromiumProcess:
    """One browser from its start to its end."""

    def __init__(self, playwright: "Playwright", browser: "Browser", home: TemporaryDirectory[str]) -> None:
        self._playwright, self._browser, self._home = playwright, browser, home
        self.pages = self.open_pages = 0
        self._pid = 0
        self._is_stuck = False

    @property
    def is_over(self) -> bool:
        """Whether it gets no more pages."""
        return self.pages >= MAX_PAGES or self._is_stuck or not self._browser.is_connected()

    @classmethod
    async def start(cls, executable: str) -> "_ChromiumProcess":
        """Starts one. Raises EngineError where it does not start, or without a sandbox."""
        playwright: Playwright | None = None
        home = TemporaryDirectory(prefix="lycosa-chromium-")
        try:
            playwright = await import_playwright().async_playwright().start()
            assert playwright
            browser = await playwright.chromium.launch(
                executable_path=LAUNCHER,
                chromium_sandbox=True,
                args=list(SWITCHES),
                env={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "HOME": home.name,  # no secret of our environment's is in it
                    "LYCOSA_CHROMIUM": executable,
                    "LYCOSA_CHROMIUM_DATA": str(MAX_DATA >> 10),
                },
                timeout=START_SECONDS * 1000,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            made = cls(playwright, browser, home)
            await made._require_sandbox()
        except Exception as error:
            if playwright:
                await playwright.stop()
            home.cleanup()
            raise error if isinstance(error, EngineError) else EngineError(_explain(error)) from error
        return made

    @asynccontextmanager
    async def open_page(self, user_agent: str) -> "AsyncIterator[Page]":
        """Opens a page that closes with the block. Raises PageError where the browser has ended."""
        errors = import_playwright().Error
        try:
            context = await self._browser.new_context(
                user_agent=user_agent,
                service_workers="block",
                accept_downloads=False,
                ignore_https_errors=False,
            )
            page = await context.new_page()
        except errors as error:
            raise PageError(BROWSER_ENDED) from error
        try:
            yield page
        except errors as error:
            raise PageError(BROWSER_ENDED if not self._browser.is_connected() else str(error)) from error
        finally:
            await self._close_context(context)

    async def close(self) -> None:
        """Ends it, by force if it does not."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._browser.close()
        except (TimeoutError, import_playwright().Error):
            self._kill()
        with suppress(Exception):  # it may have ended before
            await self._playwright.stop()
        self._home.cleanup()

    async def _close_context(self, context: "BrowserContext") -> None:
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await context.close()
        except TimeoutError:  # a page whose scripts never end
            self._is_stuck = True
            self._kill()
        except import_playwright().Error:
            self._is_stuck = not self._browser.is_connected()

    def _kill(self) -> None:
        """Kills the browser, and so its pages, which end with it."""
        if self._pid:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, signal.SIGKILL)

    async def _require_sandbox(self) -> None:
        """Raises EngineError unless each process of a page has entered Chromium's sandbox."""
        page = await self._browser.new_page()
        await page.evaluate("1")
        session = await self._browser.new_browser_cdp_session()
        until = time.monotonic() + SANDBOX_SECONDS
        while not (is_confined := _are_confined(found := await _list_processes(session))):
            if time.monotonic() > until:
                break
            await asyncio.sleep(LOOK_SECONDS)
        self._pid = next((pid for kind, pid in found if kind == "browser"), 0)
        await session.detach()
        await page.close()
        if not _has_no_network(self._pid):
            raise EngineError("Chromium runs beside a network here, so no page is rendered")
        if not is_confined:
            raise EngineError(
                "Chromium runs without its sandbox here, so no page is rendered: take --no-sandbox "
                'out of what starts it, or write render = "never"'
            )


async def _list_processes(session: "CDPSession") -> list[tuple[str, int]]:
    """Lists a browser's processes: what each is, and its number."""
    found = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    return [(one["type"], int(one["id"])) for one in found]


def _are_confined(processes: list[tuple[str, int]]) -> bool:
    modes = [_read_seccomp(pid) for kind, pid in processes if kind == "renderer"]
    return bool(modes) and all(mode == SANDBOXED for mode in modes)


def _has_no_network(pid: int) -> bool:
    """Tells whether a process is in another network namespace than this one, where nothing is."""
    with suppress(OSError):
        return bool(pid) and os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    return False


def _read_seccomp(pid: int) -> str:
    """Reads the seccomp mode of a process, '' where it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("Seccomp:"):
                return line.split()[1]
    return ""


def _explain(error: Exception) -> str:
    """Explains in one line why Chromium does not start."""
    text = str(error)
    if "unshare:" in text:
        return (
            "Chromium is only started where it has no network, which unshare does not allow here, so no page "
            'is rendered: install util-linux, allow user namespaces, or write render = "never"'
        )
    if "Running as root" in text or "No usable sandbox" in text or "sandboxing failed" in text:
        return (
            "Chromium has no sandbox here, so no page is rendered: crawl as a user other than root, on a "
            'system that allows user namespaces, or write render = "never"'
        )
    return f"Chromium does not start, so no page is rendered: {text.splitlines()[0] if text else error!r}"
