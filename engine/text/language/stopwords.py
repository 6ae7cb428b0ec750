"""Defines stop words by language."""

from collections.abc import Iterable, Sequence

from engine.text.language.letters import SAME

_LISTS = {
    "en": """a about an and any are as at be been being between but by can could did do does for from had has
        have how i if in into is it its may me my not of on or should so such than that the their there these
        they this those to was we were what when where which who whose why will with would you your""",
    "ru": """а без был была были было быть в вам вас во вот вы где для до его ее если есть же за и из или их к
        как какая какие какой когда которая которые который ли между мы на над не него но о об он она они от
        по под почему при с со так такое такой там то того тоже у чего чем что чтобы эта эти это этот я""",
    "pl": """a aby albo ale bez by być był była było były co czy czym dla do gdy gdzie go i ich ile im ja jak
        jaka jaki jakie jako je jego jej jest jeśli kiedy kto która które który lub ma mi między mu na nad nie
        o od on ona po pod przez przy są się ta tak tam te tego tej ten to tu tym w we z za ze że""",
    "fa": """آن از است اگر این با بر برای به بود بودند تا چرا چه چگونه چند چیست در دارد دارند را شد شده شود
        که کجا کدام کرد کرده کند کنند کی ما من می نیست هر هم و ها های هست هستند یا یک""",
    "de": """aber als am an auf aus bei bis das dass dem den der des die dies diese dieser durch ein eine
        einem einen einer eines er es für hat haben ich ihr im in ist kann man mit nach nicht oder sein sich
        sie sind so über um und unter vom von vor wann war waren warum was welche welchen welcher welches wenn
        wer werden wie wird wo wurde wurden zu zum zur""",
    "fr": """à au aux avec ce ces cette comme comment dans de des du elle en est et été être eu il ils je la
        le les leur mais ne nous on ont ou où par pas pour pourquoi qu quand que quel quelle quelles quels qui
        quoi s sa se ses son sont sous sur un une vous y""",
    "es": """a al como cómo con cuál cuáles cuándo cuánto de del desde dónde el ella en entre era eran es
        esta este esto fue fueron ha han hay la las le les lo los más no o para pero por qué que quien quién
        se ser si sin sobre son su sus un una y ya""",
}
STOPWORDS = {language: frozenset(words.translate(SAME).split()) for language, words in _LISTS.items()}
"""By language: articles, pronouns, prepositions, auxiliaries, what questions begin with."""


def find_stopwords(words: Sequence[str], languages: Iterable[str]) -> frozenset[str]:
    """Finds stop words among folded words, in the one of the languages that has most of them."""
    typed = {word.translate(SAME) for word in words}
    found = (STOPWORDS[one] & typed for one in sorted(languages) if one in STOPWORDS)
    most = max(found, key=len, default=frozenset[str]())
    return frozenset(word for word in words if word.translate(SAME) in most)
