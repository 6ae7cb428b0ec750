"""Looks up words and names in an index of a cluster."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from engine.index.cluster_form import (
    FORM_START,
    NAMED,
    RECORD,
    TITLE_END,
    document_id,
    form_key,
    unpack_names,
)
from engine.index.cluster_searching.cluster_names import find_cluster_names
from engine.index.cluster_searching.one_search import Search, decode_value
from engine.index.cluster_searching.translate import DSL
from engine.index.lexicon import (
    MAX_ALIKE,
    MAX_LETTERS,
    NO_SUFFIX,
    SAMPLE,
    NameCandidate,
    PageKey,
    TitleSuffix,
    learn_suffix,
)
from engine.index.reader import LRUCache
from engine.index.schema import ANCHOR, BEHIND, FORMS, MAX_FOLDED, fold_whole_name
from engine.index.stored_pages import StoredPage, unpack_page
from engine.segment import stored

MAX_HOSTS = 100  # whose titles are sampled by one search
_CANDIDATE = 200  # bytes of memory: a name with its key


class CachedNames(NamedTuple):
    """The names for one beginning, as they are remembered."""

    names: Sequence[NameCandidate]

    @property
    def nbytes(self) -> int:
        """The memory that they take, about."""
        return sum(_CANDIDATE + len(one.name) + len(one.host) for one in self.names)


class ClusterLexicon:
    """The lexicon of one moment of an index. `moment` tells it from all others; `cache` may be theirs, too.

    Methods raise engine.opensearch.ClusterError where the cluster cannot answer.
    """

    def __init__(self, search: Search, moment: str, cache: LRUCache) -> None:
        self._search, self._moment = search, moment
        self.cache = cache
        self.contents: Hashable = moment

    def find_names(self, beginning: str) -> Sequence[NameCandidate]:
        """Finds names of pages of which a word begins so, the best among them."""
        key = (self._moment, "names", beginning)
        return self.cache.get(key, partial(self._find_names, beginning)).names

    def find_suffixes(self, hosts: Iterable[str]) -> Mapping[str, TitleSuffix]:
        """Finds the common ending of the titles of each host, from some of all its pages."""
        every = list(dict.fromkeys(hosts))
        cached = {host: self.cache.peek((self._moment, "tail", host)) for host in every}
        found = {host: suffix for host, suffix in cached.items() if isinstance(suffix, TitleSuffix)}
        new = [host for host in every if host not in found]
        for start in range(0, len(new), MAX_HOSTS):
            titles = self._sample_titles(new[start : start + MAX_HOSTS])
            for host in new[start : start + MAX_HOSTS]:
                found[host] = learn_suffix(titles[host]) if host in titles else NO_SUFFIX
                self.cache.put((self._moment, "tail", host), found[host])
        return found

    def read_pages(self, keys: Collection[PageKey]) -> Mapping[PageKey, StoredPage]:
        """Reads the pages that candidates are names of."""
        return {(self._moment, url): page for url, page in self.find_pages([str(u) for _, u in keys]).items()}

    def find_pages(self, urls: Collection[str]) -> Mapping[str, StoredPage]:
        """Finds those of the pages that are there, by URL."""
        if not urls:
            return {}
        asked = _ask_for_pages(urls) | {"size": len(urls), "stored_fields": [RECORD]}
        hits = self._search(asked)["hits"]["hits"]
        records = (decode_value(hit["fields"][RECORD][0]) for hit in hits)
        pages = [unpack_page(stored.unpack_fields(record)) for record in records]
        return {page.url: page for page in pages}

    def find_similar(self, form: str, edits: int) -> Counter[str]:
        """Finds forms at most so many edits from this one, at most MAX_ALIKE of a shard, itself included.

        A letter of any plane is one, here.
        """
        if not form or len(form) > MAX_LETTERS:
            return Counter()
        answer = self._search(
            {
                "query": {"term": {FORMS: form_key(form)}},
                "size": 0,
                "track_total_hits": True,
                "suggest": {"near": {"text": form_key(form), "term": _suggest_terms(edits)}},
            }
        )
        near = Counter({form: answer["hits"]["total"]["value"]})
        for entry in answer["suggest"]["near"]:
            near.update({one["text"].removeprefix(FORM_START): one["freq"] for one in entry["options"]})
        return +near

    def count_forms(self, forms: Sequence[str]) -> Sequence[int]:
        """Counts the documents that have each of the forms."""
        if not forms:
            return []
        keys = list(map(form_key, forms))
        filters = {str(at): {"term": {FORMS: key}} for at, key in enumerate(keys)}
        answer = self._search(
            {
                "query": {"bool": {"filter": {"terms": {FORMS: keys}}}},
                "size": 0,
                "track_total_hits": False,
                "aggs": {"forms": {"filters": {"filters": filters}}},
            }
        )
        buckets = answer["aggregations"]["forms"]["buckets"]
        return [buckets[str(at)]["doc_count"] for at in range(len(forms))]

    def is_called(self, url: str, name: str) -> bool:
        """Tells whether most links to a page say no more than this name."""
        begins = f"{name[:MAX_FOLDED]}{BEHIND}"
        asked = _ask_for_pages([url]) | {"stored_fields": "_none_", "docvalue_fields": [NAMED]}
        return any(
            term.kind == ANCHOR and fold_whole_name(term.text) == name
            for hit in self._search(asked)["hits"]["hits"]
            for packed in hit.get("fields", {}).get(NAMED, ())
            for term in unpack_names(decode_value(packed), begins)
        )

    def _find_names(self, beginning: str) -> CachedNames:
        return CachedNames(find_cluster_names(self._search, self._moment, beginning))

    def _sample_titles(self, hosts: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Samples titles of each host, as they end."""
        some = {"size": SAMPLE, "_source": False, "docvalue_fields": [TITLE_END], "stored_fields": "_none_"}
        # In an order that says nothing of the pages, the same on each replica.
        shuffled = {"random_score": {"seed": 1, "field": "_seq_no"}, "boost_mode": "replace"}
        found = {"bool": {"filter": {"terms": {"host": list(hosts)}}}}
        answer = self._search(
            {
                "query": {"function_score": {"query": found, **shuffled}},
                "size": 0,
                "track_total_hits": False,
                "aggs": {
                    "hosts": {
                        "terms": {"field": "host", "include": list(hosts), "size": len(hosts)},
                        "aggs": {"some": {"top_hits": some}},
                    }
                },
            }
        )
        return {
            of["key"]: [hit["fields"][TITLE_END][0] for hit in of["some"]["hits"]["hits"]]
            for of in answer["aggregations"]["hosts"]["buckets"]
        }


def _ask_for_pages(urls: Collection[str]) -> DSL:
    ids = {"values": list(map(document_id, urls))}
    return {"query": {"bool": {"filter": {"ids": ids}}}, "track_total_hits": False}


def _suggest_terms(edits: int) -> DSL:
    """Makes the options of a term suggester that finds all forms so near, those of most documents first."""
    return {
        "field": FORMS,
        "analyzer": "keyword",
        "suggest_mode": "always",
        "sort": "frequency",
        "max_edits": edits,
        "prefix_length": 0,
        "min_word_length": 1,
        "accuracy": 0.0,
        "string_distance": "internal",
        "max_term_freq": 1e9,
        "size": MAX_ALIKE,
        "shard_size": MAX_ALIKE,
        "max_inspections": 1,
    }
