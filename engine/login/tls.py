"""Makes TLS connections that trust the company's certificates, and prove by one of ours who we are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from OpenSSL import SSL
from OpenSSL.crypto import X509, PKey
from twisted.internet._sslverify import IOpenSSLTrustRoot
from twisted.internet.ssl import optionsForClientTLS
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

from engine.config import Config, Login
from engine.errors import EngineError
from engine.login.secrets import read_private_file
from engine.url import host_name, port_of


class ClientCertificate(NamedTuple):
    """A certificate, those that lead from it to its authority, and its key."""

    chain: tuple[x509.Certificate, ...]
    key: PrivateKeyTypes

    def as_options(self) -> dict[str, Any]:
        """Returns the arguments of Twisted's CertificateOptions."""
        first, *others = map(X509.from_cryptography, self.chain)
        key = PKey.from_cryptography_key(self.key)  # type: ignore[arg-type]
        return {"certificate": first, "privateKey": key, "extraCertChain": others}


@implementer(IOpenSSLTrustRoot)
class TrustRoots:
    """The authorities that the system trusts, and more."""

    def __init__(self, more: tuple[x509.Certificate, ...]) -> None:
        self._more = more

    def _addCACertsToContext(self, context: SSL.Context) -> None:  # noqa: N802
        context.set_default_verify_paths()
        store = context.get_cert_store()
        assert store
        for certificate in self._more:
            store.add_cert(X509.from_cryptography(certificate))


class TlsPolicy(NamedTuple):
    """What crawl.toml says of TLS: more authorities, and our certificates by name and port of a host."""

    roots: tuple[x509.Certificate, ...] = ()
    certificates: Mapping[tuple[str, int], ClientCertificate] = {}

    def wrap(self, theirs: Any) -> Any:
        """Returns Scrapy's IPolicyForHTTPS where there is nothing to add to it, else one around it."""
        return _Policy(theirs, self) if self.roots or self.certificates else theirs


@implementer(IPolicyForHTTPS)
class _Policy:
    """Scrapy's policy for a connection, with what is added; a certificate is for one host alone."""

    def __init__(self, theirs: Any, ours: TlsPolicy) -> None:
        self._theirs, self._ours = theirs, ours
        self._roots: Any = TrustRoots(ours.roots)

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: N802
        """Makes the TLS options of one connection."""
        name = hostname.decode("ascii")
        options = self._theirs._get_cert_options_kwargs()
        if certificate := self._ours.certificates.get((name.strip("[]").lower(), port)):
            options |= certificate.as_options()
        return optionsForClientTLS(name, trustRoot=self._roots, extraCertificateOptions=options)


def make_tls_policy(config: Config) -> TlsPolicy:
    """Reads the certificates that crawl.toml names. Raises EngineError for one that cannot be used."""
    certificates = {
        (host_name(f"{login.host}/").strip("[]"), port_of(f"{login.host}/")): read_client_certificate(login)
        for login in config.logins
        if login.kind == "certificate"
    }
    return TlsPolicy(check_ca_file(config.ca_file), certificates)


def check_ca_file(path: Path | None) -> tuple[x509.Certificate, ...]:
    """Reads the authorities of a PEM file, () without one. Raises EngineError where there are none."""
    return _parse_certificates(_read(path, "ca_file"), path, "ca_file") if path else ()


def read_client_certificate(login: Login) -> ClientCertificate:
    """Reads a login's certificate and key. Raises EngineError where they cannot be used."""
    assert login.certificate
    assert login.key
    chain = _parse_certificates(_read(login.certificate, login.where), login.certificate, login.where)
    pem = read_private_file(login.key, login.where)
    try:
        key = load_pem_private_key(pem, None)
    except TypeError as error:
        raise EngineError(
            f"{login.where}: {login.key} has a passphrase; write the key without one ('openssl pkey'), "
            "readable for you alone"
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise EngineError(f"{login.where}: {login.key} is no private key in PEM format") from error
    if chain[0].public_key() != key.public_key():
        raise EngineError(f"{login.where}: {login.key} is not the key of {login.certificate}")
    return ClientCertificate(chain, key)


def _read(path: Path, where: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EngineError(f"{where}: {path} cannot be read: {error.strerror}") from error


def _parse_certificates(pem: bytes, path: Path, where: str) -> tuple[x509.Certificate, ...]:
    try:
        return tuple(x509.load_pem_x509_certificates(pem))
    except ValueError as error:
        raise EngineError(f"{where}: {path} has no certificate in PEM format") from error
