"""Serve the friendly web until killed: `python -m tests.web --port 8101`."""

import argparse
import signal
import sys
from collections import Counter
from pathlib import Path

from tests.web.serve import FriendlyWeb, friendly_web

STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM}
LOG_SECONDS = 0.2  # after which a request stands in the log


def main() -> int:
    """Print one line `NAME URL` a host, then serve; 0 when told to stop, 2 when a port cannot be had."""
    options = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    options.add_argument("--port", type=int, default=8101, help="first of seven ports in a row (8101)")
    options.add_argument("--apart", action="store_true", help="each host on an address of its own (Linux)")
    options.add_argument("--log", type=Path, metavar="FILE", help="where each request gets a line")
    chosen = options.parse_args()
    port: int = chosen.port
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # before the threads start, which inherit it
    try:
        with friendly_web(port=port, apart=chosen.apart) as web:
            sys.stdout.writelines(f"{name} {url}\n" for name, url in web.urls.items())
            sys.stdout.flush()
            if chosen.log:
                write_log(web, chosen.log)
            else:
                signal.sigwait(STOP_SIGNALS)
    except (OSError, OverflowError) as error:
        sys.stderr.write(
            f"cannot listen on ports from {port}: {error}; choose others: --port N, or make run WEB_PORT=N\n"
        )
        return 2
    return 0


def write_log(web: FriendlyWeb, file: Path) -> None:
    """Write `HOST METHOD PATH USER-AGENT` for each request, until told to stop."""
    told = Counter[str]()
    with file.open("w", encoding="utf-8", buffering=1) as log:
        stopped = False
        while not stopped:
            stopped = signal.sigtimedwait(STOP_SIGNALS, LOG_SECONDS) is not None
            for host in web.hosts:
                new = host.log[told[host.folder.name] :]
                told[host.folder.name] += len(new)
                log.writelines(
                    f"{host.folder.name} {one.method} {one.path} {one.headers.get('user-agent', '')}\n"
                    for one in new
                )


if __name__ == "__main__":
    sys.exit(main())
