"""The plain client of the web's own tests: one exchange at a time, nothing followed, nothing mended."""

import http.client
from urllib.parse import urlsplit

TIMEOUT = 60.0  # seconds; loopback answers at once, but a busy machine stalls


def fetch(url: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; the path goes out exactly as it is written, `_` in a header's name as `-`."""
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection = http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): headers[name] for name in headers})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()
