"""Keeps a sign-in that has begun in the browser that began it, and nowhere else."""

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

SECRET_BYTES = 32
ATTEMPT_SECONDS = 600.0  # until somebody has typed a password, found a telephone, and is back
MAX_PATH = 1_500  # characters; a cookie has 4 KB (RFC 6265, 6.1)
# A path of ours, in printable ASCII: with // or /\ in front browsers go to another host.
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*", re.ASCII)
_COOKIE = re.compile(r"([0-9]{1,12})\.([\w-]{43})\.([\w-]{0,2048})", re.ASCII)


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """A sign-in under way: a secret in a cookie, from which follows all that has to fit when it ends.

    So no server keeps anything for those who never come back, and any of several can end it.
    """

    began: int  # seconds since 1970
    secret: str
    path: str  # where somebody goes on afterwards

    @property
    def state(self) -> str:
        """Returns what the provider sends back, so that it is this browser that began (RFC 6749, 10.12)."""
        return self._derive("state")

    @property
    def nonce(self) -> str:
        """Returns what has to stand in the token, so that it was made for this sign-in."""
        return self._derive("nonce")

    @property
    def verifier(self) -> str:
        """Returns what proves that who comes with the code asked for it (RFC 7636, 4.1)."""
        return self._derive("verifier")

    @property
    def challenge(self) -> str:
        """Returns the hash of the verifier, by S256."""
        return _encode(hashlib.sha256(self.verifier.encode()).digest())

    def dump(self) -> str:
        """Dumps it for a cookie."""
        return f"{self.began}.{self.secret}.{_encode(self.path.encode())}"

    def _derive(self, purpose: str) -> str:
        text = f"{purpose} {self.began} {self.path}".encode()
        return _encode(hmac.digest(self.secret.encode(), text, "sha256"))


def begin_attempt(now: float, path: str) -> SignInAttempt:
    """Begins a sign-in, after which somebody goes on at a path of ours."""
    return SignInAttempt(int(now), secrets.token_urlsafe(SECRET_BYTES), path)


def load_attempt(cookie: str, state: str, now: float) -> SignInAttempt | None:
    """Loads a sign-in whose state came back; None where it is another's, or too old."""
    if not (found := _COOKIE.fullmatch(cookie)):
        return None
    try:
        path = base64.urlsafe_b64decode(found[3] + "=" * (-len(found[3]) % 4)).decode("ascii")
    except ValueError:
        return None
    attempt = SignInAttempt(int(found[1]), found[2], path)
    fits = hmac.compare_digest(attempt.state.encode(), state.encode("utf-8", "replace"))
    is_young = 0 <= now - attempt.began < ATTEMPT_SECONDS
    return attempt if fits and is_young and is_own_path(path) else None


def is_own_path(path: str) -> bool:
    """Tells whether a path leads to a page of ours, whatever a browser makes of it."""
    return len(path) <= MAX_PATH and _OWN_PATH.fullmatch(path) is not None


def _encode(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()
