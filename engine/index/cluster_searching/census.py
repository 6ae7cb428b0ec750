"""Counts and samples the documents of an index."""

from collections.abc import Sequence
from typing import Any

from engine.index.cluster_form import RECORD, length_field
from engine.index.cluster_searching.asking import MAX_HITS
from engine.index.cluster_searching.moment import Moment
from engine.index.cluster_searching.records import read_record
from engine.index.stored_pages import StoredPage

AT_ONCE = 1_000  # hosts
SEED = 1  # of what is drawn: two samples of a moment are the same


def count_by_host(moment: Moment) -> dict[str, int]:
    """Counts the documents of each host."""
    found, after = dict[str, int](), dict[str, Any]()
    while True:
        hosts = {"size": AT_ONCE, "sources": [{"host": {"terms": {"field": "host"}}}], **after}
        [answer] = moment.search(
            {"size": 0, "track_total_hits": False, "aggs": {"hosts": {"composite": hosts}}}
        )
        buckets = answer["aggregations"]["hosts"]["buckets"]
        found |= {one["key"]["host"]: one["doc_count"] for one in buckets}
        if len(buckets) < AT_ONCE:
            return found
        after = {"after": answer["aggregations"]["hosts"]["after_key"]}


def list_host_urls(moment: Moment, host: str) -> list[str]:
    """Lists the URLs of all documents of a host."""
    found, after = list[str](), dict[str, Any]()
    while True:
        some = {"query": {"bool": {"filter": {"term": {"host": host}}}}, "sort": {"url": "asc"}, **after}
        [answer] = moment.search(
            {**some, "size": MAX_HITS, "track_total_hits": False, "stored_fields": "_none_"}
        )
        urls = [hit["sort"][0] for hit in answer["hits"]["hits"]]
        found += urls
        if len(urls) < MAX_HITS:
            return found
        after = {"search_after": urls[-1:]}


def sample_pages(moment: Moment, count: int) -> Sequence[StoredPage]:
    """Samples pages with a title, at random but always the same."""
    drawn = {
        "query": {"bool": {"filter": {"exists": {"field": length_field("title")}}}},
        "random_score": {"seed": SEED, "field": "_seq_no"},
        "boost_mode": "replace",
    }
    asked = {"query": {"function_score": drawn}, "size": count, "track_total_hits": False}
    [answer] = moment.search({**asked, "stored_fields": [RECORD]})
    return list(map(read_record, answer["hits"]["hits"]))
