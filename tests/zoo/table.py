"""All behaviours of the zoo, and those quick enough for every run of the tests."""

from tests.zoo import bodies, documents, heads, markup, redirects, robots, sitemaps, texts, traps
from tests.zoo.behaviour import Behaviour

ALL: tuple[Behaviour, ...] = (
    *traps.BEHAVIOURS,
    *heads.BEHAVIOURS,
    *bodies.BEHAVIOURS,
    *redirects.BEHAVIOURS,
    *robots.BEHAVIOURS,
    *sitemaps.BEHAVIOURS,
    *markup.BEHAVIOURS,
    *texts.BEHAVIOURS,
    *documents.BEHAVIOURS,
)
QUICK = tuple(one for one in ALL if one.quick)
