"""Lets people sign in by OpenID Connect, and keeps who has."""

from engine.oidc.attempt import ATTEMPT_SECONDS, SignInAttempt, begin_attempt, is_own_path, load_attempt
from engine.oidc.fetching import ProviderAway
from engine.oidc.id_token import SignInRefused
from engine.oidc.opening import CALLBACK, open_provider
from engine.oidc.provider import Provider
from engine.oidc.sessions import ViewerSessions
from engine.oidc.viewer import Viewer

__all__ = [
    "ATTEMPT_SECONDS",
    "CALLBACK",
    "Provider",
    "ProviderAway",
    "SignInAttempt",
    "SignInRefused",
    "Viewer",
    "ViewerSessions",
    "begin_attempt",
    "is_own_path",
    "load_attempt",
    "open_provider",
]
