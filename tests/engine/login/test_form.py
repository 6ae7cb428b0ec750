"""The login form of a page, filled in as a browser would."""

import pytest

from engine.login.form import MAX_FORMS, LoginForm, find_login_form

PASSWORD = '<input type="password" name="word">'
FIELDS = [
    ("<input name=user value=me>", (("user", "me"),), "text, where nothing is said"),
    ("<input type=hidden name=token value='a&amp;b'>", (("token", "a&b"),), "against forgery"),
    (
        "<input type=checkbox name=a><input type=checkbox name=b checked>",
        (("b", "on"),),
        "only what is checked",
    ),
    (
        "<input type=radio name=a value=1><input type=radio name=a value=2 checked>",
        (("a", "2"),),
        "one of them",
    ),
    (
        "<select name=a><option value=1>x<option selected value=2>y</select>",
        (("a", "2"),),
        "what is selected",
    ),
    ("<select name=a><option>x<option>y</select>", (("a", "x"),), "else the first"),
    ("<textarea name=a>text</textarea>", (("a", "text"),), "a text"),
    (
        "<input name=a disabled><input value=1><input type=file name=f><input type=reset name=r>",
        (),
        "not sent",
    ),
    (
        "<button name=go value=in>Go</button><button name=go value=new>New</button>",
        (("go", "in"),),
        "the first",
    ),
    ("<input type=submit value=Go><input type=submit name=b value=2>", (), "which has no name"),
    ("<button type=button name=show>Show</button>", (), "a button of a script"),
]


@pytest.mark.parametrize(("markup", "values", "why"), FIELDS, ids=[row[-1] for row in FIELDS])
def test_what_a_browser_would_send(markup: str, values: tuple[tuple[str, str], ...], why: str) -> None:
    form = find_login_form(f"<form method=POST action=' /in '>{markup}{PASSWORD}</form>".encode())
    assert form == LoginForm("/in", "post", "word", values), why


def test_it_is_filled_in() -> None:
    form = LoginForm("", "post", "word", (("token", "t"), ("user", ""), ("user", "x")))
    assert form.fill({"user": "me"}, "secret") == [("token", "t"), ("user", "me"), ("word", "secret")]


ONE, OTHER = b"<form><input type=password name=a></form>", b"<form><input type=password name=b></form>"
BOTH = b"<form><input name=user><input type=password name=b></form>"
TWICE = b"<form><input type=password name=a><input type=password name=b></form>"
PAGES = [
    (b"<p>a password", None, "no form"),
    (b"<form><input name=user></form>", None, "a search"),
    (b"<form><input type=password></form>", None, "a field without a name is not sent"),
    (TWICE, None, "where one is chosen"),
    (b"<form><INPUT TYPE = 'Password' NAME=a></form>", "a", "as it may be written"),
    (ONE + BOTH, "b", "the one with the fields"),
    (ONE + OTHER, "a", "the first"),
    (b"<form></form>" * MAX_FORMS + ONE, None, "beyond the limit"),
    (b"<form><input type=password name=a", None, "cut short"),
]


@pytest.mark.parametrize(("body", "password", "why"), PAGES, ids=[row[-1] for row in PAGES])
def test_which_form_it_is(body: bytes, password: str | None, why: str) -> None:
    form = find_login_form(body, ("user",))
    assert (form and form.password) == password, why
