"""All rows of a link graph's schema, and what one is filled with."""

from contextlib import closing
from typing import Any

import psycopg

from engine.linkgraph import GraphSchema, open_clusters, open_link_graph, open_templates
from engine.linkgraph.postgresql.tables import TABLES
from engine.model.page import Link, Links

TARGET, ALIAS = "http://target.example/", "http://alias.example/"
PAGES = [f"http://h{n % 3}.example/{n}" for n in range(30)]


def read_rows(schema: GraphSchema) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of each table, in one order."""
    names = [line.split()[2] for line in TABLES.split("\n") if line.startswith("CREATE TABLE")]
    with psycopg.connect(schema.url) as connection:
        return {
            name: sorted(connection.execute(f"SELECT * FROM {schema.name}.{name}").fetchall(), key=repr)
            for name in names
        }


def fill(schema: GraphSchema) -> None:
    """A few hosts with links, copies, aliases, machines and templates."""
    with (
        closing(open_link_graph(schema)) as graph,
        closing(open_templates(schema)) as templates,
        closing(open_clusters(schema)) as clusters,
    ):
        graph.replace((url, Links.of([Link(TARGET, "x"), Link(ALIAS, url[-1])])) for url in (*PAGES, TARGET))
        graph.set_machines([(url, "192.0.2.1") for url in PAGES[:2]])
        graph.set_aliases([(ALIAS, PAGES[0])])
        clusters.update([(PAGES[1], TARGET), (PAGES[2], TARGET)])
        templates.replace((url, [1, 2, n]) for n, url in enumerate(PAGES))
        templates.learn()
