"""Which language a text is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import language
from engine.text.language import ISO_639_1

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
    ("", "검색 엔진", "ko", "Hangul"),
    ("", "เครื่องมือค้นหา", "th", "Thai"),
    ("", "מנוע חיפוש", "he", "Hebrew"),
    ("yi", "זוכמאשין", "yi", "Hebrew letters, declared as Yiddish"),
    ("", "μηχανή αναζήτησης", "el", "Greek"),
    ("", "موتور جستجو صفحه‌ها را می‌خواند و واژه‌ها را نگه می‌دارد", "fa", "Arabic script with Persian letters"),
    ("", "يقرأ محرك البحث الصفحات ويحفظ الكلمات ومواضعها", "ar", "Arabic"),
    ("", "تلاش کا انجن صفحات پڑھتا ہے اور الفاظ یاد رکھتا ہے", "ur", "Arabic script with Urdu letters"),
    ("", "The word сайт is Russian for the site, and that is all of it that we have.", "en", "a quotation"),
    ("", "𐌰𐌱𐌲𐌳𐌴", "", "a script that nobody here reads"),
]


@pytest.mark.parametrize(("declared", "text", "expected", "why"), CASES)
def test_language(declared: str, text: str, expected: str, why: str) -> None:
    assert language(declared, text) == expected, why


@given(st.text(max_size=20), st.text(max_size=80))
def test_it_is_always_a_code_or_nothing(declared: str, text: str) -> None:
    assert language(declared, text) in ISO_639_1 | {""}
