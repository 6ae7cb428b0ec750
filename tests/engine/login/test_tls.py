"""The certificates that crawl.toml names: what cannot be used is one line."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from engine.config import Login
from engine.errors import EngineError
from engine.login.tls import TrustRoots, check_ca_file, read_client_certificate
from tests.certificates import Authority


def test_a_certificate_and_its_key(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files, other = authority.issue("crawler"), authority.issue("other")

    def read(certificate: Path, key: Path) -> str:
        try:
            chain, _ = read_client_certificate(
                Login("https://h", "certificate", "here", certificate=certificate, key=key)
            )
        except EngineError as error:
            return str(error)
        return f"{len(chain)}"

    assert read(*files) == "1"
    whole = tmp_path / "whole.pem"
    whole.write_bytes(files.certificate.read_bytes() + authority.file.read_bytes())
    assert read(whole, files.key) == "2"
    assert "is not the key of" in read(other.certificate, files.key)
    assert "has no certificate in PEM format" in read(files.key, files.key)
    assert "cannot be read" in read(tmp_path / "none", files.key)
    key = load_pem_private_key(files.key.read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"canary"))
    files.key.write_bytes(locked)
    assert "has a passphrase" in read(*files)
    files.key.write_bytes(b"nothing")
    assert "is no private key" in read(*files)
    files.key.chmod(0o644)
    assert "chmod 600" in read(*files)


def test_the_certificates_of_a_company(tmp_path: Path) -> None:
    assert check_ca_file(None) == ()
    assert len(check_ca_file(Authority(tmp_path).file)) == 1
    with pytest.raises(EngineError, match=r"ca_file: .* cannot be read"):
        check_ca_file(tmp_path / "none.pem")


def test_the_roots_of_the_system_are_trusted_as_before(tmp_path: Path) -> None:
    asked = list[str]()

    class Context:
        def set_default_verify_paths(self) -> None:
            asked.append("system")

        def get_cert_store(self) -> "Context":
            return self

        def add_cert(self, _: object) -> None:
            asked.append("company")

    TrustRoots(check_ca_file(Authority(tmp_path).file))._addCACertsToContext(Context())  # type: ignore[arg-type]
    assert asked == ["system", "company"]
