"""Verifies ID tokens (OpenID Connect Core 1.0, 3.1.3.7): who signed one, for whom, for which sign-in."""

import hmac
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""Signatures by a key that the provider alone has. With `none` or HS256 everybody could sign who knows a
public key, or the client's secret (RFC 8725, 2.1)."""
MAX_TIME = 1e12  # seconds since 1970; no clock shows that
LEEWAY_SECONDS = 60  # by which clocks may differ


class SignInRefused(EngineError):  # noqa: N818 - says what is so
    """Nobody is let in by this: the message is for the operator, and has nothing of a token in it."""


class UnknownKey(SignInRefused):
    """No key that we have signed it; the provider may have others by now."""


@dataclass(frozen=True, slots=True)
class ExpectedToken:
    """What a token has to say: who made it, for whom, and for which sign-in."""

    issuer: str
    client_id: str
    nonce: str


def import_keys(document: Mapping[str, Any]) -> "KeySet":
    """Imports the public keys by which a provider signs (RFC 7517, 5); others and damaged ones are left out.

    Raises SignInRefused where none is left.
    """
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry, KeySet

    rows, keys = document.get("keys"), []
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("kty") in ("RSA", "EC", "OKP") and row.get("use") != "enc":
            with suppress(JoseError, ValueError, TypeError, KeyError):
                keys.append(JWKRegistry.import_key(row))
    if not keys:
        raise SignInRefused("the provider names no key by which its tokens could be verified")
    return KeySet(keys)


def verify_id_token(token: str, keys: "KeySet", expected: ExpectedToken, now: float) -> Mapping[str, Any]:
    """Verifies a token; returns what it says of somebody. `now`: seconds since 1970.

    Raises SignInRefused, and UnknownKey for a signature by none of the keys.
    """
    from joserfc import jwt
    from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError

    try:
        claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
    except (BadSignatureError, InvalidKeyIdError) as error:
        raise UnknownKey("the token is signed by no key of the provider") from error
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise SignInRefused(f"the token is not signed as it has to be: {type(error).__name__}") from error
    if problem := _find_problem(claims, expected, now):
        raise SignInRefused(f"the token {problem}")
    return claims


def _find_problem(claims: Mapping[str, Any], expected: ExpectedToken, now: float) -> str:
    """Finds what is wrong with the claims, '' for nothing."""
    ends, begins, named = _read_time(claims, "exp"), _read_time(claims, "iat"), claims.get("aud")
    readers = named if isinstance(named, list) else [named]
    nonce = str(claims.get("nonce", ""))
    if claims.get("iss") != expected.issuer:
        return "is of another issuer"
    if expected.client_id not in readers:
        return "is for another client"
    if claims.get("azp", expected.client_id) != expected.client_id:
        return "was asked for by another client"
    if len(readers) > 1 and "azp" not in claims:
        return "is for several clients, and does not say who asked for it"
    if ends is None or ends <= now - LEEWAY_SECONDS:
        return "has expired: do the clocks of both machines agree?"
    if begins is None or begins > now + LEEWAY_SECONDS:
        return "is of the future: do the clocks of both machines agree?"
    if not hmac.compare_digest(nonce.encode("utf-8", "replace"), expected.nonce.encode()):
        return "is of another sign-in"
    return ""


def _read_time(claims: Mapping[str, Any], name: str) -> float | None:
    """Reads a time, None for what is none; Python's JSON has NaN, too, which is neither past nor future."""
    value = claims.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < MAX_TIME:
        return None
    return float(value)
