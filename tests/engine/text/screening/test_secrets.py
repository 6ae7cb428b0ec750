"""Secrets on a page: which are found, and what only looks like one."""

import base64
import random
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.model.page import Page, Section
from engine.model.secret import Secret
from engine.text.documents.documents import read_text
from engine.text.documents.source import DocumentSource
from engine.text.html.markup import read_html
from engine.text.screening.card_numbers import find_card_number, passes_luhn
from engine.text.screening.secrets import SEVERAL_USERS, find_secrets

pytestmark = pytest.mark.requirement(284)

URL = "http://h.example/"
DICE = random.Random(284)
KEY = base64.b64encode(DICE.randbytes(600)).decode()
LETTERS = string.ascii_letters + string.digits
PROSE = "What follows was left here by somebody, and nobody has seen it. " * 9


def drawn(length: int, letters: str = LETTERS) -> str:
    """Letters that mean nothing, as a program draws them; no secret of anybody stands in this file."""
    return "".join(DICE.choice(letters) for _ in range(length))


def lines(text: str, width: int = 64) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def pem(kind: str, body: str) -> str:
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def hashed(user: str, kind: str = "apr1") -> str:
    return f"{user}:${kind}${drawn(8)}${drawn(22)}"


def completed(digits: str) -> str:
    """The digits with their check digit."""
    return next(f"{digits}{last}" for last in range(10) if passes_luhn(f"{digits}{last}"))


def page(text: str, media_type: str = "text/html") -> Page:
    return Page(URL, sections=(Section("", "", text),), media_type=media_type)


def kinds(text: str, media_type: str = "text/html") -> list[str]:
    return [secret.kind for secret in find_secrets(page(text, media_type))]


VISA, OTHER_VISA = completed("453914880343646"), completed("471629384756102")
AMEX = completed("34829175360428")
SECRETS = [
    (pem("RSA PRIVATE KEY", lines(KEY)), "private key", "as openssl writes it"),
    (pem("PRIVATE KEY", KEY[:64]), "private key", "the shortest, of Ed25519"),
    (pem("OPENSSH PRIVATE KEY", KEY), "private key", "in one line, as a page without PRE has it"),
    (
        pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F\n\n" + KEY),
        "private key",
        "locked",
    ),
    (pem("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n" + lines(KEY)), "private key", "of PGP"),
    (f"-----BEGIN EC PRIVATE KEY-----\n{KEY[:200]}", "private key", "without an end"),
    ('"key": "' + pem("PRIVATE KEY", KEY[:128]).replace("\n", "\\n") + '"', "private key", "in JSON"),
    (f"id {'AKIA' + drawn(16, string.ascii_uppercase + '2345679')} end", "access key", "Amazon's"),
    (f"token ghp_{drawn(36)}", "access key", "GitHub's"),
    (f"github_pat_{drawn(22)}_{drawn(59)}", "access key", "GitHub's, newer"),
    (f"sk_live_{drawn(24)}", "access key", "Stripe's"),
    ("\n".join(hashed(f"user{n}") for n in range(SEVERAL_USERS)), "password", ".htpasswd"),
    (
        PROSE + " ".join(hashed(f"u{n}", "6") for n in range(SEVERAL_USERS)),
        "password",
        "/etc/shadow on a page",
    ),
    (hashed("root", "2y"), "password", "one user, and nothing else"),
    ("postgres://app:k9#Lw2vQx8Tz@db.corp.internal:5432/app", "password", "in an address"),
    (f"Card: {VISA}", "card number", "a number beside a word"),
    (f"Visa {VISA[:4]} {VISA[4:8]} {VISA[8:12]} {VISA[12:]} 12/29", "card number", "in groups"),
    (f"karta {VISA[:4]}-{VISA[4:8]}-{VISA[8:12]}-{VISA[12:]}", "card number", "in groups, pl"),
    (f"Amex {AMEX[:4]} {AMEX[4:10]} {AMEX[10:]}", "card number", "in groups of its own"),
    (f"信用卡{VISA}。", "", "no word ends where the number begins"),
    (f"信用卡: {VISA}。", "card number", "zh"),
    (f"1,{VISA},x\n2,{OTHER_VISA},y\n3,{AMEX},z", "card number", "a table with commas"),
    (f"{VISA}\n{OTHER_VISA}\n{AMEX}", "card number", "several need no word"),
]


@pytest.mark.parametrize(("text", "kind", "why"), SECRETS, ids=[why for _, _, why in SECRETS])
def test_a_secret_is_found(text: str, kind: str, why: str) -> None:
    assert kinds(text) == [kind] * bool(kind), why
    assert kinds(f"{PROSE}\n{text}\n{PROSE}") == [kind] * (bool(kind) and why != "one user, and nothing else")


SETTINGS = [
    ("DB_PASSWORD=k9Lw2vQx8Tz4", True, ".env"),
    ("export API_KEY='k9Lw2vQx8Tz4'", True, "a shell's"),
    ("password: k9Lw2vQx8Tz4", True, "YAML"),
    ("define( 'DB_PASSWORD', 'k9#Lw2vQx8Tz4' );", True, "wp-config.php~"),
    ("  'password' => 'k9#Lw2vQx8Tz4',", True, "an array of PHP's"),
    ("DB_PASSWORD=", False, "none"),
    ("DB_PASSWORD=my-secret-Pw1", False, "says that it is an example"),
    ("password = correct horse battery", False, "words"),
    ("password=hunter2hunter2", False, "two kinds of letters: a manual's"),
    ("token = secrets.token_hex(16)", False, "a program"),
    ("PASSWORD=${DB_PASSWORD1}", False, "where it is to be taken from"),
    ("The password: k9Lw2vQx8Tz4 is not to be used", False, "a sentence"),
]


@pytest.mark.parametrize(("line", "found", "why"), SETTINGS)
def test_passwords_in_files_of_settings(line: str, found: bool, why: str) -> None:
    """Of these the text alone tells; in HTML they are a manual's."""
    settings = f"# settings\nDEBUG=true\n{line}\nPORT=8000"
    one = read_text(DocumentSource(settings.encode(), URL, "text/plain", [], 2.0))
    assert [secret.kind for secret in find_secrets(one)] == ["password"] * found, why
    assert find_secrets(one) == (Secret("password", 3),) * found
    assert kinds(settings) == []


NO_SECRETS = [
    (pem("RSA PRIVATE KEY", "... (private key in base64 encoding) ..."), "python's manual of ssl"),
    (pem("RSA PRIVATE KEY", "<your key goes here, all of it, without any line that was left out>"), "a form"),
    (pem("PRIVATE KEY", "A" * 64), "one letter"),
    (pem("PRIVATE KEY", "ThisIsWhereTheKeyOfYourServerGoesAndNobodyButYouShouldEverSeeIt"), "words"),
    (pem("PUBLIC KEY", lines(KEY)), "meant for all"),
    (pem("CERTIFICATE", lines(KEY)), "meant for all"),
    ("It begins with -----BEGIN PRIVATE KEY-----. Keep it.", "told about"),
    ("AKIAIOSFODNN7EXAMPLE", "Amazon's own example"),
    ("AKIAXXXXXXXXXXXXXXXX", "a pattern"),
    (f"XAKIA{'Q2W3E4R5T6Z7U8I9'}", "within a word"),
    (f"ghp_{'x' * 36}", "a pattern"),
    (f"ghp_{drawn(20)}", "too short"),
    ("sk_test_" + drawn(24), "for tests"),
    (PROSE + hashed("myName"), "one example in a manual"),
    (PROSE + hashed("myName") + " and " + hashed("yours", "2y"), "two examples in a manual"),
    ("costs $1$ or $2$", "prices"),
    ("postgresql://scott:tiger@localhost/test", "a manual's"),
    ("postgres://user:Passw0rd!123@db.corp.internal/x", "says that it is one"),
    ("mysql://app:k9#Lw2vQx8Tz@db.example.com/x", "nobody's host"),
    ("see http://h.internal:8080/@k9", "no user"),
    ("Test cards: 4111 1111 1111 1111, 5555 5555 5555 4444, 3782 822463 10005", "what everybody tests with"),
    ("Visa 4012888888881881 and Mastercard 5105105105105100", "what everybody tests with"),
    (f"Cards for tests: 4111111111111111 5105105105105100 {VISA}", "among those for tests"),
    (f"Card for tests: 4111111111111111, or {VISA}", "as many as those for tests"),
    (f"card {VISA[:-1]}{(int(VISA[-1]) + 1) % 10}", "a wrong check digit"),
    (f"order {VISA}", "no word for cards: any number"),
    (f"card {VISA}7{VISA}", "within a longer number"),
    (f"card 0.{VISA}", "behind a point"),
    (f"card {VISA}.5", "before a point"),
    (f"card 1234 {VISA[:4]} {VISA[4:8]} {VISA[8:12]} {VISA[12:]}", "a row of a table"),
    (f"card {VISA[:4]} {VISA[4:8]} {VISA[8:12]} {VISA[12:]} 1234", "a row of a table"),
    (f"card x{VISA}", "a name"),
    (f"card /{VISA}/", "an address"),
    ("card 9780306406157 978-0-306-40615-7", "books"),
]


@pytest.mark.parametrize(("text", "why"), NO_SECRETS, ids=[why for _, why in NO_SECRETS])
def test_what_only_looks_like_a_secret(text: str, why: str) -> None:
    """A manual about passwords is found."""
    assert kinds(text) == [], why
    assert kinds(f"{PROSE}\n{text}\n{PROSE}") == [], why


def test_where_it_stands_is_told_and_not_what_it_is() -> None:
    """Kind and line, once for each kind."""
    token = f"ghp_{drawn(36)}"
    html = f"<title>T</title><h1>Notes</h1><p>one<p>two {token}<p>card {VISA}<p>again {token}"
    found = find_secrets(read_html(html.encode(), URL, "text/html", []))
    assert found == (Secret("access key", 3), Secret("card number", 4))
    assert token not in repr(found)
    outside = read_html(f"<title>{token}</title><p>one".encode(), URL, "text/html", [])
    assert find_secrets(outside) == (Secret("access key", 0),)
    alone = read_html(f"<title>{token}</title>".encode(), URL, "text/html", [])
    assert find_secrets(alone) == (Secret("access key", 0),), "a page without text has no first line"


@given(st.text("0123456789 -.", max_size=60))
def test_a_number_with_a_wrong_digit_is_no_card(text: str) -> None:
    """Each digit counts (Luhn finds every single error)."""
    assert find_card_number(text) is None or any(letter.isdigit() for letter in text)
    for digit in set("0123456789") - {VISA[7]}:
        assert not passes_luhn(VISA[:7] + digit + VISA[8:])


@example("card \ud800")
@given(st.text(st.sampled_from("$-:@/ =aA1\n") | st.characters(), max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert isinstance(find_secrets(page(text, "text/plain")), tuple)
