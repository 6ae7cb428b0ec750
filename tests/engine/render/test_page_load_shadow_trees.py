"""Text in shadow trees that scripts attach is read, whatever they do besides; hostile ones have an end."""

import pytest

from engine.render import page_load
from tests.engine.render.conftest import Draw
from tests.engine.render.test_page_load import ROOT, SAY, script

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

ATTACH = "const tree = (of, mode = 'open') => of.attachShadow({mode, serializable: true});"
SHADOWS = [
    (f"{ATTACH} tree(root).innerHTML = '<p>planted</p>'", True, "attached by a script"),
    (
        f"{ATTACH} tree(root).append(make('p')); tree(root.shadowRoot.firstChild).append('planted')",
        True,
        "in another",
    ),
    (
        "customElements.define('x-a', class extends HTMLElement { connectedCallback() { "
        "this.attachShadow({mode: 'open'}).append('planted') } }); root.append(make('x-a'))",
        True,
        "a component's",
    ),
    (
        "document.body.setHTMLUnsafe('<x-a><template shadowrootmode=open>plan' + 'ted</template></x-a>')",
        True,
        "a declared one",
    ),
    (f"{ATTACH} tree(root, 'closed').append('planted')", False, "a closed one"),
    (
        f"{ATTACH} tree(root).append(make('p'));tree(root.shadowRoot.firstChild, 'closed').append('planted')",
        False,
        "a closed one in an open one",
    ),
    (
        f"{ATTACH} Element.prototype.getHTML = Document.prototype.querySelectorAll = () => 'forged';"
        "Object.defineProperty(Element.prototype, 'shadowRoot', {get: () => null});"
        "tree(root).append('planted')",
        True,
        "where scripts have changed what reads it",
    ),
]


@pytest.mark.parametrize(("source", "is_read", "why"), SHADOWS)
def test_open_shadow_trees_are_read(draw: Draw, source: str, is_read: bool, why: str) -> None:
    said = source.replace("planted", r"plan\x74ed")  # which the script itself does not say
    drawn = draw(f"<!DOCTYPE html><html lang=de><body>{ROOT}<script>{SAY}{said}</script>")
    assert ("planted" in drawn.html) is is_read, why
    assert drawn.html.startswith('<!DOCTYPE html><html lang="de"><head>')
    assert drawn.html.count("<html") == 1


DEEP = [
    (
        "let of = root; for (let n = 0; n < 50_000; n++) { of = of.attachShadow({mode: 'open'})"
        ".appendChild(make('div')) }",
        "trees in trees",
    ),
    (
        "for (let n = 0; n < 50_000; n++) "
        "root.appendChild(make('div')).attachShadow({mode: 'open'}).append('x')",
        "trees side by side",
    ),
    (
        "const t = root.attachShadow({mode: 'open'}); for (let n = 0; n < 40; n++) t.append('x'.repeat(1e6))",
        "a long one",
    ),
]


@pytest.mark.parametrize(("source", "why"), DEEP)
def test_there_is_an_end_to_shadow_trees(draw: Draw, source: str, why: str) -> None:
    """Such a page is read in part, or has failed; the next one is drawn."""
    drawn = draw(script(source))
    assert drawn.error or "<html" in drawn.html, why
    assert len(drawn.html) <= page_load.MAX_HTML + 100, why
    assert "planted" in draw(script("say('plan' + 'ted')")).html
