"""Serve the friendly web until killed: `python -m tests.web --port 8101`."""

import argparse
import signal
import sys

from tests.web.serve import friendly_web

STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM}


def main() -> int:
    """Print one line `NAME URL` a host, then serve; 0 when told to stop, 2 when a port cannot be had."""
    options = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    options.add_argument("--port", type=int, default=8101, help="first of seven ports in a row (8101)")
    port = options.parse_args().port
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # before the threads start, which inherit it
    try:
        with friendly_web(port=port) as web:
            sys.stdout.writelines(f"{name} {url}\n" for name, url in web.urls.items())
            sys.stdout.flush()
            signal.sigwait(STOP_SIGNALS)
    except (OSError, OverflowError) as error:
        sys.stderr.write(
            f"cannot listen on ports from {port}: {error}; choose others: --port N, or make run WEB_PORT=N\n"
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
