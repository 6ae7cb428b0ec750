"""Pages in a real Chromium: what scripts draw is read; hostile ones end in time and reach nothing."""

import pytest

from engine.render import page_load, page_requests
from engine.render.resource_cache import Resource
from tests.engine.render.canaries import canary
from tests.engine.render.conftest import SCRIPT, Draw

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

TEXT = (("content-type", "text/plain"),)
ROOT = "<div id=root></div>"
SAY = "const say = text => root.append(text), make = name => document.createElement(name);"


def script(source: str, body: str = ROOT) -> str:
    return f"<!DOCTYPE html><title>t</title>{body}<script>{SAY}{source}</script>"


DRAWN = [
    (script("say('planted')"), {}, "a script of the page"),
    (script("setTimeout(() => say('planted'), 300)"), {}, "a moment later"),
    (f"{ROOT}<script src=/app.js></script>", {"/app.js": "root.append('planted')"}, "a script of the host"),
    (script("fetch('/x').then(r => r.text()).then(say)"), {"/x": "planted"}, "what fetch brings"),
    (
        script(
            "const x = new XMLHttpRequest; x.onload = () => say(x.response); x.open('GET', '/x'); x.send()"
        ),
        {"/x": "planted"},
        "what XMLHttpRequest brings",
    ),
    (
        f"{ROOT}<script type=module>import {{word}} from '/word.js'; root.append(word)</script>",
        {"/word.js": "export const word = 'planted'"},
        "a module",
    ),
    (script("history.pushState({}, '', '/other'); say('planted')"), {}, "an address that changes alone"),
    (
        script(
            "const l = make('link'); l.rel = 'stylesheet'; l.href = '/s.css'; "
            "l.onload = () => say('planted'); document.head.append(l)"
        ),
        {},
        "scripts that wait for a style sheet, which nobody is asked for",
    ),
    (script("alert('x'); confirm('x'); prompt('x'); say('planted')"), {}, "dialogs are dismissed"),
    (script("location.href = '/away'; setTimeout(() => say('planted'), 100)"), {}, "it stays where it is"),
    (script("open('/popup'); say('planted')"), {}, "no window beside it"),
    (
        script("say('planted'); setInterval(() => fetch('/x'), 50)"),
        {"/x": "x"},
        "requests without an end: it is read after its time",
    ),
    (script("fetch('/none').catch(() => say('planted'))"), {}, "what is refused fails as a network would"),
]


@pytest.mark.parametrize(("page", "answers", "why"), DRAWN)
def test_what_scripts_draw_is_read(
    draw: Draw, monkeypatch: pytest.MonkeyPatch, page: str, answers: dict[str, str], why: str
) -> None:
    monkeypatch.setattr(page_load, "BROWSER_SECONDS", 4.0)
    given = {
        f"https://site.example{path}": Resource(200, SCRIPT if path.endswith(".js") else TEXT, text.encode())
        for path, text in answers.items()
    }
    drawn = draw(page, given)
    assert not drawn.error
    assert "planted" in drawn.html.split("<script", 1)[0], why


SOON, PATIENT = 4.0, 60.0  # seconds: for what only its time ends, and for what a slow machine may need
ENDLESS = [
    ("while (true) {}", SOON, page_load.TOO_LONG, "a loop"),
    ("while (true) alert('x')", SOON, page_load.TOO_LONG, "dialogs without an end"),
    (
        "const f = () => { Promise.resolve().then(f) }; f()",
        SOON,
        page_load.TOO_LONG,
        "microtasks without an end",
    ),
    (
        "const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length))",
        PATIENT,
        page_load.CRASHED,
        "memory without an end: V8's bound ends it, before its time is over",
    ),
    (
        "const kept = []; for (;;) kept.push(new Uint8Array(1e8).fill(1))",
        SOON,
        None,
        "memory beside V8's: what it asks for is refused, or ends it",
    ),
    (
        "for (;;) document.body.append(document.createElement('p'), 'x'.repeat(1e6))",
        SOON,
        None,
        "a document without an end",
    ),
]


@pytest.mark.parametrize(("source", "seconds", "error", "why"), ENDLESS)
def test_what_never_ends_is_ended_and_the_next_page_is_drawn(
    draw: Draw, monkeypatch: pytest.MonkeyPatch, source: str, seconds: float, error: str | None, why: str
) -> None:
    monkeypatch.setattr(page_load, "BROWSER_SECONDS", seconds)
    drawn = draw(script(source))
    if error:
        assert drawn.error == error, why
    else:
        assert len(drawn.html) <= page_load.MAX_HTML + 100
    assert "planted" in draw(script("say('plan' + 'ted')")).html


HOSTILE = [
    ("new WebSocket('ws://127.0.0.1:PORT/')", "a WebSocket to a private address"),
    ("new WebSocket('wss://site.example:PORT/')", "a WebSocket to its own host"),
    ("new EventSource('http://127.0.0.1:PORT/')", "a stream of events"),
    ("fetch('http://127.0.0.1:PORT/', {mode: 'no-cors'})", "a request to loopback"),
    ("fetch('http://localhost:PORT/', {mode: 'no-cors'})", "a name of it"),
    ("fetch('http://[::1]:PORT/', {mode: 'no-cors'})", "an address of it by IPv6"),
    ("fetch('http://169.254.169.254/latest/meta-data/', {mode: 'no-cors'})", "a cloud's own data"),
    ("fetch('http://127.0.0.1:PORT/', {method: 'POST', body: 'x', mode: 'no-cors'})", "a POST"),
    ("fetch('file:///etc/passwd').then(r => r.text()).then(say)", "a file"),
    ("fetch('chrome://version')", "the browser's own pages"),
    ("navigator.sendBeacon('http://127.0.0.1:PORT/', 'x')", "a beacon"),
    ("new Image().src = 'http://127.0.0.1:PORT/x.png'", "an image"),
    ("location.href = 'http://127.0.0.1:PORT/'", "a navigation"),
    ("location.href = 'file:///etc/passwd'", "a navigation to a file"),
    ("open('http://127.0.0.1:PORT/')", "a window"),
    (
        "const f = make('iframe'); f.src = 'http://127.0.0.1:PORT/'; document.body.append(f)",
        "a frame",
    ),
    (
        "const f = make('iframe'); f.srcdoc = "
        "'<img src=http://127.0.0.1:PORT/x><script>new WebSocket(\"ws://127.0.0.1:PORT/\");"
        "window.open(\"http://127.0.0.1:PORT/\")<\\/script>'; document.body.append(f)",
        "what a frame of its own text does",
    ),
    (
        "const a = make('a'); a.href = 'http://127.0.0.1:PORT/x'; a.download = 'x'; a.click()",
        "a download",
    ),
    (
        "const f = make('form'); f.method = 'post'; f.action = 'http://127.0.0.1:PORT/'; "
        "document.body.append(f); f.submit()",
        "a form",
    ),
    (
        "const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}, "
        "{urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'u', credential: 'c'}]}); "
        "p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o))",
        "WebRTC, by UDP and TCP",
    ),
    (
        "try { new WebTransport('https://127.0.0.1:PORT/').ready.catch(() => 0) } catch (e) {}",
        "WebTransport, by UDP",
    ),
    (
        "navigator.serviceWorker?.register('/sw.js').catch(() => 0)",
        "a service worker, which would answer for the site later",
    ),
    (
        "new Worker(URL.createObjectURL(new Blob([\"fetch('http://127.0.0.1:PORT/', {mode: 'no-cors'});"
        "new WebSocket('ws://127.0.0.1:PORT/')\"])))",
        "a worker, made of a blob",
    ),
    ("import('http://127.0.0.1:PORT/x.js').catch(() => 0)", "a module of another host"),
    ("import('data:text/javascript,fetch(\"http://127.0.0.1:PORT/\")').catch(() => 0)", "a module of data:"),
    (
        "for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'prerender', "
        "'modulepreload', 'icon', 'manifest', 'stylesheet']) { const l = make('link'); l.rel = rel; "
        "l.as = 'fetch'; l.href = 'http://127.0.0.1:PORT/'; document.head.append(l) }",
        "links to hosts that are to be asked early",
    ),
    (
        "const s = make('script'); s.type = 'speculationrules'; s.textContent = "
        "JSON.stringify({prefetch: [{urls: ['http://127.0.0.1:PORT/'], eagerness: 'immediate'}], "
        "prerender: [{urls: ['/next'], eagerness: 'immediate'}]}); document.head.append(s)",
        "speculation rules",
    ),
    (
        "const m = make('meta'); m.httpEquiv = 'refresh'; m.content = "
        "'0; url=http://127.0.0.1:PORT/'; document.head.append(m)",
        "META refresh",
    ),
    ("new PaymentRequest([{supportedMethods: 'https://127.0.0.1:PORT/pay'}], "
     "{total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => 0)",
     "a payment method's manifest"),
    ("new AudioContext(); const v = document.createElement('video'); v.src = 'http://127.0.0.1:PORT/'; "
     "v.play().catch(() => 0)", "a video"),
    ("const r = new ReportingObserver(() => 0); r.observe(); fetch('/x', {keepalive: true}).catch(() => 0)",
     "a request that outlives the page"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "why"), HOSTILE)
def test_no_page_reaches_a_canary(draw: Draw, source: str, why: str) -> None:
    """Neither by what is answered for the browser, nor by what it does itself."""
    with canary() as bird:
        page = script(
            f"try {{ {source.replace('PORT', str(bird.port))} }} catch (e) {{}} say('plan' + 'ted')"
        )
        drawn = draw(page)
        assert bird.touched == [], why
    assert "planted" in drawn.html, why
    assert "root:" not in drawn.html
    assert all(url.startswith(("https://site.example", "http://")) for url in drawn.asked)


def test_nothing_of_one_page_is_left_for_the_next(draw: Draw) -> None:
    draw(script("localStorage.x = document.cookie = 'x=left; max-age=999'; caches.open('left')"))
    drawn = draw(script("caches.keys().then(k => say(JSON.stringify([localStorage.x, document.cookie, k])))"))
    assert "left" not in drawn.html.split("<script", 1)[0]


def test_a_page_sees_who_it_is_drawn_for(draw: Draw) -> None:
    assert "Lycosa/" in draw(script("say(navigator.userAgent)")).html


def test_no_script_of_the_page_decides_what_is_read(draw: Draw) -> None:
    """They may change what a page is, which is theirs; not what is done to read it."""
    drawn = draw(
        script(
            "Object.defineProperty(Element.prototype, 'outerHTML', {get: () => 'x'.repeat(5e7)});"
            "String.prototype.slice = () => 'forged'; say('planted')"
        )
    )
    assert "planted" in drawn.html
    assert len(drawn.html) < 10_000


def test_there_is_an_end_to_what_a_page_asks_for(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_requests, "MAX_ASKED", 5)
    source = "for (let n = 0; n < 9; n++) fetch(`/x?${n}`).then(() => say('planted'), () => 0)"
    answers = {f"https://site.example/x?{n}": Resource(200, TEXT, b"x") for n in range(9)}
    drawn = draw(script(source), answers)
    assert len(drawn.asked) == 5
    assert drawn.refused == {"refused, too many requests": 4}
    assert drawn.html.count("planted") == 5 + 1


def test_what_waits_for_its_turn_when_the_time_is_over_is_not_sent(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is read as it is then."""
    monkeypatch.setattr(page_load, "WHOLE_SECONDS", 2.0)
    drawn = draw(script("say('planted'); fetch('/never')"))
    assert drawn.html.count("planted") == 2
    assert drawn.refused == {"refused, too late": 1}


def test_there_is_an_end_to_what_a_page_is_given(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_requests, "MAX_PAGE_BYTES", 10)
    source = "fetch('/a').then(() => fetch('/b')).catch(() => say('planted'))"
    answers = {f"https://site.example/{name}": Resource(200, TEXT, b"123456") for name in "ab"}
    assert draw(script(source), answers).refused == {"refused, too large": 1}


REDIRECTS = [
    ("/to", ["/to", "/x"], "planted", "it is followed here: the browser would follow it unseen"),
    ("/away", ["/away", "https://other.example/"], "", "to a host that may not be asked"),
    ("/loop", ["/loop"] * 5, "", "for ever"),
    ("/nowhere", ["/nowhere"], "", "to no URL"),
]


@pytest.mark.parametrize(("path", "asked", "text", "why"), REDIRECTS)
def test_redirects(draw: Draw, path: str, asked: list[str], text: str, why: str) -> None:
    answers = {"/x": Resource(200, TEXT, b"planted")}
    for start, to in (
        ("/to", "/x"),
        ("/away", "https://other.example/"),
        ("/loop", "/loop"),
        ("/nowhere", "x:"),
    ):
        answers[start] = Resource(302, (("location", to),), b"")
    given = {f"https://site.example{name}": answer for name, answer in answers.items()}
    drawn = draw(script(f"fetch('{path}').then(r => r.text()).then(say)"), given)
    assert drawn.asked == [url if "://" in url else f"https://site.example{url}" for url in asked], why
    assert ("planted" in drawn.html) is bool(text), why
