"""Certificates made on the spot: one that nobody trusts, and those of a company's authority."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Files(NamedTuple):
    """A certificate and its key, in PEM."""

    certificate: Path
    key: Path


class Authority:
    """A company's authority; its own certificate is `file`."""

    def __init__(self, folder: Path, name: str = "A company") -> None:
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._subject = _name(name)
        builder = _builder(self._subject, self._subject, self._key)
        basic = x509.BasicConstraints(ca=True, path_length=None)
        certificate = builder.add_extension(basic, critical=True).sign(self._key, hashes.SHA256())
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str) -> Files:
        """Issues a certificate for a name or an address."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(_name(name), self._subject, key).add_extension(_alternative(name), critical=False)
        return _write(self._folder / name, builder.sign(self._key, hashes.SHA256()), key)

    def context(self, name: str, *, asks: bool = False) -> ssl.SSLContext:
        """Makes the TLS of a server of this name; `asks`: for a certificate of this authority."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.issue(name))
        if asks:
            context.load_verify_locations(self.file)
            context.verify_mode = ssl.CERT_REQUIRED
        return context


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Files of a certificate for 127.0.0.1 and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("127.0.0.1")
    builder = _builder(name, name, key).add_extension(_alternative("127.0.0.1"), critical=False)
    return _write(folder, builder.sign(key, hashes.SHA256()), key)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(name: str) -> x509.SubjectAlternativeName:
    try:
        address = ip_address(name)
    except ValueError:
        return x509.SubjectAlternativeName([x509.DNSName(name)])
    assert isinstance(address, IPv4Address)
    return x509.SubjectAlternativeName([x509.IPAddress(address)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now, number = datetime.now(UTC), x509.random_serial_number()
    builder = x509.CertificateBuilder(issuer, subject, key.public_key(), number)
    return builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))


def _write(folder: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> Files:
    folder.mkdir(exist_ok=True)
    files = Files(folder / "certificate.pem", folder / "key.pem")
    files.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    files.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    files.key.chmod(0o600)
    return files
