"""Numbers of spreadsheets, as their formats show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.office.number_format import BUILT_IN, EPOCH_1904, show_number

SHOWN = [
    ("5", "General", "5", "a whole number"),
    ("0.30000000000000004", "General", "0.3", "what a computer makes of 0.1 + 0.2"),
    ("3.14159265358979", "General", "3.141592654", "as many digits as Excel shows"),
    ("9780306406157", "General", "9780306406157", "a book's number, which people look for"),
    ("1e300", "General", "1e+300", "a very large one"),
    ("-2", "General", "-2", "a negative one"),
    ("1234.5", "0.00", "1234.50", "two decimals"),
    ("1234.5", "#,##0.00", "1234.50", "without the separators that no two countries share"),
    ("1234.5", '#,##0.00\\ "€";[Red]-#,##0.00\\ "€"', "1234.50", "of money"),
    ("12", "[$£-809]#,##0", "12", "of money elsewhere"),
    ("0.256", "0%", "26%", "per cent"),
    ("0.256", "0.0%", "25.6%", "and a decimal"),
    ("12345", "0.00E+00", "1.23E+04", "an exponent"),
    ("1e99", "0.00", "1.00E+99", "no hundred digits"),
    ("0.5", "# ?/?", "0.5", "no fraction"),
    ("7", "@", "7", "a text"),
    ("7", '"day "0', "7", "a word with a d in it is no date"),
    ("7", "[Red]0", "7", "nor is a colour"),
    ("45413", "yyyy-mm-dd", "2024-05-01", "a date"),
    ("45413", "[$-409]d\\-mmm\\-yy;@", "2024-05-01", "in any order"),
    ("45413", "mmmm", "2024-05-01", "a month alone"),
    ("45413.75", "m/d/yy h:mm", "2024-05-01 18:00", "a date and a time"),
    ("45413.5000231", "d.m.y h:mm:ss", "2024-05-01 12:00:02", "with seconds"),
    ("0.75", "h:mm AM/PM", "18:00", "a time"),
    ("45413.75", "h:mm", "18:00", "of a day that is not shown"),
    ("1.5", "[h]:mm:ss", "36:00", "a time of more than a day"),
    ("1", "yyyy-mm-dd", "1900-01-01", "the first day of all"),
    ("61", "yyyy-mm-dd", "1900-03-01", "behind a day that there never was"),
    ("-1", "yyyy-mm-dd", "-1", "before all days"),
    ("9999999", "yyyy-mm-dd", "9999999", "behind all days"),
    ("nan", "yyyy-mm-dd", "nan", "no number"),
    ("n/a", "0.00", "n/a", "no number at all"),
]


@pytest.mark.parametrize(("value", "code", "shown", "why"), SHOWN, ids=[why for *_, why in SHOWN])
def test_numbers(value: str, code: str, shown: str, why: str) -> None:
    assert show_number(value, code) == shown, why


def test_days_may_count_from_1904() -> None:
    assert show_number("0", "yyyy-mm-dd", EPOCH_1904) == "1904-01-01"


def test_built_in_formats() -> None:
    shown = {number: show_number("45413.25", code) for number, code in BUILT_IN.items()}
    assert {shown[n] for n in (14, 15, 16, 17, 31, 57)} == {"2024-05-01"}
    assert {shown[n] for n in (18, 19, 20, 21, 33, 45, 47)} == {"06:00"}
    assert (shown[1], shown[2], shown[10], shown[22]) == (
        "45413",
        "45413.25",
        "4541325.00%",
        "2024-05-01 06:00",
    )


@given(st.text(max_size=30) | st.floats().map(str), st.text(alphabet='ymdhs0#?.,;%E"[]\\ @', max_size=40))
def test_any_number_in_any_format_is_shown(value: str, code: str) -> None:
    assert len(show_number(value, code)) <= len(value) + 400
