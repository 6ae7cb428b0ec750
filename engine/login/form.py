"""Finds the login form of a page, and fills it in as a browser would (HTML, 4.10.21)."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_FORM_BYTES = 1_000_000  # of a page that is looked at; login pages have some 50 kB
MAX_FORMS = 50  # of a page
_PASSWORD = re.compile(rb"<input\b[^>]{0,1000}?\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
_BUTTONS = ("submit", "image")
_NOT_SENT = ("submit", "image", "reset", "button", "file")


class LoginForm(NamedTuple):
    """A form with one field for a password."""

    action: str  # as it is written; '': the page itself
    method: str  # in lower case
    password: str  # the name of that field
    values: tuple[tuple[str, str], ...]  # of all other fields, in their order

    def fill(self, fields: Mapping[str, str], secret: str) -> list[tuple[str, str]]:
        """Fills the form in: what a browser would send."""
        kept = [pair for pair in self.values if pair[0] not in fields]
        return [*kept, *fields.items(), (self.password, secret)]


def find_login_form(body: bytes, names: tuple[str, ...] = ()) -> LoginForm | None:
    """Finds the form for a password on a page, best one that has fields of these names; None without one."""
    body = body[:MAX_FORM_BYTES]
    if not _PASSWORD.search(body):  # so for nearly all pages: nothing is parsed
        return None
    forms = [
        form
        for node in LexborHTMLParser(body).css("form")[:MAX_FORMS]
        if (form := _read_form(node)) is not None
    ]
    fitting = (form for form in forms if set(names) <= {name for name, _ in form.values})
    return next(fitting, forms[0] if forms else None)


def _read_form(form: LexborNode) -> LoginForm | None:
    """Reads a form; None for one without a password, or with two, as where one is chosen."""
    nodes = form.css("input, select, textarea, button")
    passwords = [_attribute(node, "name") for node in nodes if _type(node) == "password"]
    if len(passwords) != 1 or not passwords[0]:
        return None
    method = _attribute(form, "method").lower() or "get"
    return LoginForm(_attribute(form, "action").strip(), method, passwords[0], tuple(_read_values(nodes)))


def _read_values(nodes: list[LexborNode]) -> Iterator[tuple[str, str]]:
    """Reads what a browser would send of a form's fields: of its buttons the first is pressed."""
    is_pressed = False
    for node in nodes:
        name, kind = _attribute(node, "name"), _type(node)
        if kind in _BUTTONS and not is_pressed:
            is_pressed = True
            if name and kind == "submit":
                yield name, _attribute(node, "value")
        if not name or "disabled" in node.attributes or kind in _NOT_SENT or kind == "password":
            continue
        if kind in ("checkbox", "radio"):
            if "checked" in node.attributes:
                yield name, _attribute(node, "value") or "on"
        elif node.tag == "select":
            options = node.css("option")
            chosen = [option for option in options if "selected" in option.attributes] or options
            if chosen:
                yield name, _attribute(chosen[0], "value") or chosen[0].text()
        else:
            yield name, node.text() if node.tag == "textarea" else _attribute(node, "value")


def _type(node: LexborNode) -> str:
    """Returns the kind of a field; a button without one submits."""
    kind = _attribute(node, "type").lower()
    return kind or ("submit" if node.tag == "button" else "")


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""
