"""Defines the tables of a link graph in its schema, and creates and drops that."""

import re

from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql.connection import Step

PREFIX = 500  # characters of a text that an index orders by: 2,000 bytes at most, and it takes 2,700

TABLES = f"""
CREATE TABLE names (id bigint PRIMARY KEY, digest bytea NOT NULL, name text COLLATE "C" NOT NULL);
CREATE UNIQUE INDEX names_digest ON names (digest);
CREATE INDEX names_begin ON names (left(name, {PREFIX}));
CREATE TABLE outlinks (source bigint PRIMARY KEY, edges bytea NOT NULL);
CREATE TABLE votes (
    target bigint, voter bigint, pages bigint NOT NULL, PRIMARY KEY (target, voter)
);
CREATE TABLE said (
    target bigint, anchor bigint, voter bigint, pages bigint NOT NULL, PRIMARY KEY (target, anchor, voter)
);
CREATE TABLE stale (target bigint PRIMARY KEY);
CREATE TABLE stands (alias bigint PRIMARY KEY, target bigint NOT NULL);
CREATE INDEX stands_for ON stands (target);
CREATE TABLE machines (domain bigint PRIMARY KEY, machine text NOT NULL);
CREATE TABLE checksums (name text PRIMARY KEY, value numeric NOT NULL);
CREATE TABLE blocks (
    page bigint PRIMARY KEY, host bigint NOT NULL, place bigint NOT NULL, numbers bigint[] NOT NULL
);
CREATE INDEX blocks_of_host ON blocks (host, place);
CREATE TABLE templates (
    host bigint PRIMARY KEY, pages bigint NOT NULL, learned bigint NOT NULL DEFAULT 0,
    changed boolean NOT NULL DEFAULT true, numbers bigint[] NOT NULL DEFAULT '{{}}'
);
CREATE INDEX templates_changed ON templates (host) WHERE changed;
CREATE TABLE copies (
    digest bytea PRIMARY KEY, url text COLLATE "C" NOT NULL, page_digest bytea NOT NULL, page text NOT NULL
);
CREATE INDEX copies_of ON copies (page_digest, left(url, {PREFIX}));
"""
_NAMED = re.findall(r"TABLE (\w+)", TABLES)
RELATIONS = frozenset([*_NAMED, *(f"{name}_pkey" for name in _NAMED), *re.findall(r"INDEX (\w+)", TABLES)])
_RELATIONS = """
SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = %s AND relkind IN ('r', 'i')
"""


def find_relations(step: Step, schema: GraphSchema) -> frozenset[str]:
    """Finds the names of the tables and indexes that are there."""
    return frozenset(name for (name,) in step.fetch(_RELATIONS, schema.name))


def create_tables(step: Step, schema: GraphSchema) -> None:
    """Creates the schema and its tables, where they are not there yet."""
    if not find_relations(step, schema):
        step.execute(f"CREATE SCHEMA IF NOT EXISTS {schema.name}")
        for statement in TABLES.split(";")[:-1]:
            step.execute(statement)


def drop_schema(step: Step, schema: GraphSchema) -> None:
    """Drops it and all that is in it."""
    step.execute(f"DROP SCHEMA IF EXISTS {schema.name} CASCADE")
