"""Finds numbers of payment cards in a text (requirement 284).

A number alone proves little: one in fifty of 16 digits could be a card's. It counts beside a word for cards,
or where there are several; and not where the numbers stand that everybody tests with.
"""

import re

SEVERAL = 3  # different numbers that need no word for cards beside them
FEWEST_DIGITS = 5  # different ones; numbers that are made up have fewer

# What may stand before and after one is looked at apart: a pattern that begins with digits is found faster.
_NUMBER = re.compile(
    r"[0-9](?:[0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|[0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5}|[0-9]{13,18})"
    r"(?![\w/]|[ -][0-9]{3}|[.,][0-9])"
)
_GOES_ON = re.compile(r"[\w./+#-]|[0-9]{3}[ -]")
# Issuers and their lengths: ISO/IEC 7812 as the card networks use it. All end in a check digit.
_ISSUED = re.compile(
    r"4[0-9]{15}(?:[0-9]{3})?"  # Visa
    r"|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"  # Mastercard
    r"|3[47][0-9]{13}"  # American Express
    r"|3(?:0[0-5]|[689][0-9])[0-9]{11}"  # Diners Club
    r"|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}"  # Discover
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}"  # JCB
    r"|62[0-9]{14,17}"  # UnionPay
    r"|220[0-4][0-9]{12}"  # Mir
)
_ABOUT_CARDS = re.compile(
    r"\b(?:credit|debit|cards?|visa|mastercard|amex|cvv2?|cvc2?|expir\w+|valid thru|(?:kredit)?karten?"
    r"|tarjetas?|cartes?|kart[aęy]|karcie)\b|карт|کارت|卡",
    re.IGNORECASE,
)
# Those of the payment services' manuals that FEWEST_DIGITS does not sort out.
_FOR_TESTS = """
    378282246310005 371449635398431 378734493671000 30569309025904 38520000023237 36227206271667
    3566002020360505 6011000990139424 5200828282828210 2223003122003222 2223000048400011
    2223520043560014 5425233430109903 4263982640269299 4917484589897107 4001919257537193
    4007702835532454 6362970000457013 374245455400126 60115564485789458 6250941006528599
    5019717010103742 4716108999716531 5281037048916168 2222420000001113 2222630000001125
    4035501000000008 4360000001000005 4988438843884305 5136333333333335 5577000055770004
    5105105105105100 4012888888881881 5299990270000368 6243030000000001 3569990010095841
    4895142232120006 5419333333333332
"""
_GAPS = b" -"
_DIGITS = bytes(48 if octet in b"0123456789" else 46 for octet in range(256))
_DIGITS_AND_GAPS = bytes(48 if octet in _GAPS else _DIGITS[octet] for octet in range(256))
_RUN = b"0" * 14


def find_card_number(text: str) -> int | None:
    """Finds where the first number of a card begins that may be somebody's; None without one."""
    if not _has_long_number(text):
        return None
    places: dict[str, int] = {}
    for match in _NUMBER.finditer(text):
        number = re.sub("[ -]", "", match[0])
        if not _begins_before(text, match.start()) and _ISSUED.fullmatch(number) and passes_luhn(number):
            places.setdefault(number, match.start())
    real = [number for number in places if number not in _FOR_TESTS and len(set(number)) >= FEWEST_DIGITS]
    if not real or len(real) <= len(places) - len(real):
        return None
    return places[real[0]] if len(real) >= SEVERAL or _ABOUT_CARDS.search(text) else None


def _has_long_number(text: str) -> bool:
    """Tells whether it is worth to look closer: few pages have such a run."""
    octets = text.encode(errors="replace")
    return _RUN in octets.translate(_DIGITS_AND_GAPS) and _RUN in octets.translate(_DIGITS, _GAPS)


def _begins_before(text: str, start: int) -> bool:
    """Tells whether a number is but the end of something longer."""
    before = text[max(start - 4, 0) : start]
    return bool(_GOES_ON.fullmatch(before[-1:]) or _GOES_ON.fullmatch(before))


def passes_luhn(number: str) -> bool:
    """Tells whether the last digit is the check digit of the others (Luhn; ISO/IEC 7812-1, annex B)."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (sum(doubled) + sum(map(int, number[::-2]))) % 10 == 0
