"""Which language a text is in."""

import json
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.language.language import ISO_639_1, detect_language
from tests.shared import SHARED

PARAGRAPHS = 30  # of each language

GERMAN = (
    "Die alte Brücke wurde vor langer Zeit gebaut, und jedes Jahr streiten die Leute im Ort, ob sie hält. "
    "Der Müller sagt, dass sie nicht bricht, denn er hat es mit eigenen Augen gesehen."
)
POLISH = (
    "Stary most zbudowano dawno temu i każdej wiosny mieszkańcy spierają się, czy wytrzyma napór lodu. "
    "Młynarz twierdzi, że wytrzyma, bo sam widział to na własne oczy."
)
ENGLISH = (
    "The old bridge was built long ago, and every spring the people of the town argue about it, for it is "
    "not clear that it will stand. The miller is sure of that, as he has seen it with his own eyes."
)
SPANISH = (
    "El viejo puente se construyó hace mucho tiempo y cada primavera los vecinos del pueblo discuten si "
    "aguantará el hielo. El molinero dice que sí, porque lo ha visto con sus propios ojos, pero la maestra "
    "no está tan segura de eso."
)
RUSSIAN = (
    "Старый мост построили давно, и каждую весну жители спорят, выдержит ли он ледоход. Мельник уверяет, что "
    "выдержит: он сам это видел. Учительница, наоборот, просит детей ходить дальней дорогой."
)
PERSIAN = (
    "پل کهنه را سال‌ها پیش روی رودخانه ساختند و هر بهار مردم شهر با هم گفت‌وگو می‌کنند که آیا پل تاب می‌آورد."
)
DUTCH = (
    "Die ou brug is lank gelede gebou en in die lente praat die mense daar oor of dit in die ys sal staan."
)
NORWEGIAN = "Den gamle broen ble bygget for lenge siden, og hver vår er det noen som sier at den ikke holder."

CASES = [
    ("en-GB", "x", "en", "a declared language is believed"),
    ("pt_BR", "x", "pt", "also with an underscore"),
    ("de, fr", "x", "de", "of several in Content-Language the first"),
    ("iw", "", "he", "a code that was retired"),
    ("nb", "x", "no", "one code for the Norwegians"),
    ("cz", "To jest zdanie po polsku o wyszukiwarkach internetowych.", "pl", "a country is no language"),
    ("", "", "", "nothing to go by"),
    ("", "ok", "", "too short"),
    (
        "",
        "The engine reads the pages and keeps which of the words are on them, with the places.",
        "en",
        "English",
    ),
    (
        "",
        "AbstractValueVisitor ElementScanner Enclosing class Nested Class Summary Constructor " * 5
        + "The visitor reads the value of this element and keeps which of the types are in it.",
        "en",
        "English behind names, which taken alone might be anything",
    ),
    (
        "",
        "In jenem Jahr erschienen mehrere Werke, die bald in der ganzen Welt bekannt wurden, auch wenn heute "
        "kaum jemand mehr weiß, wer sie geschrieben hat und warum sie damals so beliebt waren, denn Zeiten "
        "haben sich seither geändert, und vieles ist nur noch in Archiven zu finden, wo es gesammelt und "
        "gepflegt wird: das Lied The Edge of the World, der Film The Turn of the Screw und ein kleines Buch, "
        "dessen Namen niemand mehr kennt, weil auch der Verlag längst nicht mehr besteht, der es druckte.",
        "de",
        "names of works in English",
    ),
    ("", "Die Suchmaschine liest die Seiten und merkt sich, welche Wörter darauf stehen.", "de", "a guess"),
    ("", "Поисковая машина читает страницы и запоминает слова.", "ru", "a guess within a script"),
    (
        "",
        "Пошукова машина читає сторінки й запам'ятовує слова, що на них стоять.",
        "uk",
        "a guess within a script",
    ),
    ("en", "Поисковая машина читает страницы.", "ru", "the script proves lang=en of a template wrong"),
    (
        "ru",
        "This page was never translated, but it has the template of the others.",
        "en",
        "and the other way round",
    ),
    ("ru", "def f(): return 1  # Пример", "ru", "code in a Russian page is no proof"),
    ("ru", "2026", "ru", "digits are no proof"),
    ("uk", "Поисковая машина", "uk", "the script leaves it possible"),
    ("", "検索エンジンはページを読む", "ja", "Kana"),
    ("", "搜索引擎读取网页", "zh", "Han without Kana"),
    ("", "搜索引擎读取网页并记住每个词的位置の", "zh", "one Kana in a brand name"),
    ("", "搜索引擎读取网页并の", "ja", "one Kana to nine Han"),
    ("", "搜索引擎读取网页并记の", "zh", "one to ten"),
    ("", "검색 엔진", "ko", "Hangul"),
    ("", "เครื่องมือค้นหา", "th", "Thai"),
    ("", "מנוע חיפוש", "he", "Hebrew"),
    ("yi", "זוכמאשין", "yi", "Hebrew letters, declared as Yiddish"),
    ("", "μηχανή αναζήτησης", "el", "Greek"),
    ("", "موتور جستجو صفحه‌ها را می‌خواند و واژه‌ها را نگه می‌دارد", "fa", "Arabic script with Persian letters"),
    ("", "يقرأ محرك البحث الصفحات ويحفظ الكلمات ومواضعها", "ar", "Arabic"),
    ("", "تلاش کا انجن صفحات پڑھتا ہے اور الفاظ یاد رکھتا ہے", "ur", "Arabic script with Urdu letters"),
    ("", "The word сайт is Russian for the site, and that is all of it that we have.", "en", "a quotation"),
    ("en", GERMAN, "de", "lang=en of a template, on a page in another language of Latin script"),
    ("en", POLISH, "pl", "which has few little words, but letters that English lacks"),
    (
        "en",
        "Größere Brücken führen über Flüsse, ältere Mühlen säumen Ufer, Bäume blühen, Vögel zwitschern früh.",
        "de",
        "letters that English lacks, without any little word",
    ),
    (
        "uk",
        "Мельник уверяет: выдержит старый мост ледоход. Учительница просит детей ходить дальней дорогой, "
        "вечерами рыбаки собираются, разводят костёр, утром звенит школьный звонок, открывается булочная.",
        "ru",
        "Ukrainian needs its і, whatever the words",
    ),
    ("de", POLISH, "pl", "another language's letters are no proof, its words with a guess are"),
    ("de", ENGLISH, "en", "and the other way round"),
    ("pt", SPANISH, "es", "relatives share words, but not so many"),
    ("uk", RUSSIAN, "ru", "relatives differ in little words"),
    ("ar", PERSIAN, "fa", "Arabic has no such letters"),
    ("ar", "گھڑی چاچا گڑیا پہاڑ ٹیپو چڑیا گاڑی پانی پرندہ", "ur", "nor these, which Persian lacks as well"),
    ("ar", "د لټون انجن پاڼې لولي او ټکي ساتي چې پیدا شي ژبه ګډه پوښتنه چاره", "ps", "Pashto's own letters"),
    ("ar", "بەرنامەکە گەڕان دەکات پێش چاوەڕێ ژمارە", "ar", "Kurdish, of which nobody here knows words"),
    ("en", "Die Suchmaschine", "en", "what is short cannot speak clearly"),
    (
        "en",
        "AbstractValueVisitor ElementScanner void accept Nested Class Summary Constructor de la " * 3,
        "en",
        "names are no language",
    ),
    ("af", DUTCH, "af", "a language whose little words are those of a greater one"),
    ("da", NORWEGIAN, "da", "relatives of which nobody can tell are believed"),
    ("", "𐌰𐌱𐌲𐌳𐌴", "", "a script that nobody here reads"),
]


@pytest.mark.parametrize(("declared", "text", "expected", "why"), CASES)
def test_language(declared: str, text: str, expected: str, why: str) -> None:
    assert detect_language(declared, text) == expected, why


@pytest.mark.shared("data/xquad", "data/poquad", "data/pquad-val")
@pytest.mark.parametrize(
    ("declared", "right", "why"),
    [
        (None, 0.995, "a right declaration is hardly ever overruled"),
        ("", 0.99, "nothing is declared"),
        ("en", 0.985, "lang=en of a template"),
        ("de", 0.96, "another wrong one"),
    ],
)
def test_paragraphs_of_fourteen_languages(declared: str | None, right: float, why: str) -> None:
    """The share of paragraphs whose language is found."""
    found = [
        detect_language(code if declared is None else declared, text) == code
        for code, text in paragraphs()
        if code != declared
    ]
    assert sum(found) >= right * len(found), why


def paragraphs() -> Iterator[tuple[str, str]]:
    """Some paragraphs of each language, with its code."""
    collections = {path.name: path for path in sorted((SHARED / "data/xquad").iterdir())}
    collections |= {"pl": SHARED / "data/poquad", "fa": SHARED / "data/pquad-val"}
    for code, folder in collections.items():
        with (folder / "docs.jsonl").open(encoding="utf-8") as lines:
            for line in islice(lines, PARAGRAPHS):
                yield code, json.loads(line)["text"]


@given(st.text(max_size=20), st.text(max_size=80))
def test_it_is_always_a_code_or_nothing(declared: str, text: str) -> None:
    assert detect_language(declared, text) in ISO_639_1 | {""}
