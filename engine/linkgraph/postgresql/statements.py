"""The statements by which a link graph in a schema is written, each for a whole batch."""

KNOWN = "SELECT digest, id FROM names WHERE digest = ANY(%s::bytea[])"
LAST = "SELECT coalesce(max(id), 0) FROM names"
BEFORE = "SELECT source, edges FROM outlinks WHERE source = ANY(%s::bigint[])"
LEAVE = """
WITH gone (page) AS (SELECT unnest(%s::bigint[])), unlinked AS (
    DELETE FROM outlinks USING gone WHERE source = page
)
DELETE FROM stale USING gone WHERE target = page
"""
LINK = """
INSERT INTO outlinks SELECT * FROM unnest(%s::bigint[], %s::bytea[])
ON CONFLICT (source) DO UPDATE SET edges = excluded.edges
"""
ADD_VOTES = """
INSERT INTO votes AS kept SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
ON CONFLICT (target, voter) DO UPDATE SET pages = kept.pages + excluded.pages
"""
# Returns the targets of what nobody has said before: all parts of a statement see the rows before it.
ADD_SAID = """
WITH more (target, anchor, voter, pages) AS (
    SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
), written AS (
    INSERT INTO said AS kept SELECT * FROM more
    ON CONFLICT (target, anchor, voter) DO UPDATE SET pages = kept.pages + excluded.pages
)
SELECT DISTINCT target FROM more WHERE NOT EXISTS (
    SELECT 1 FROM said
    WHERE said.target = more.target AND said.anchor = more.anchor AND said.voter = more.voter
)
"""
# By keys: the server takes it that no count is nothing, and would look for those that are in all rows.
DROP_VOTES = """
DELETE FROM votes WHERE ctid = ANY(ARRAY(
    SELECT found.ctid FROM unnest(%s::bigint[], %s::bigint[]) AS fewer (target, voter) CROSS JOIN LATERAL (
        SELECT ctid FROM votes
        WHERE votes.target = fewer.target AND votes.voter = fewer.voter AND pages <= 0 LIMIT 1
    ) found
))
"""
DROP_SAID = """
DELETE FROM said WHERE ctid = ANY(ARRAY(
    SELECT found.ctid FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS fewer (target, anchor, voter)
    CROSS JOIN LATERAL (
        SELECT ctid FROM said
        WHERE said.target = fewer.target AND said.anchor = fewer.anchor AND said.voter = fewer.voter
            AND pages <= 0 LIMIT 1
    ) found
)) RETURNING target
"""
# A target with added or removed links: its page is stale, or the page that it represents.
MOVE = """
WITH RECURSIVE above (target) AS (
    SELECT unnest(%s::bigint[])
    UNION SELECT stands.target FROM above JOIN stands ON alias = above.target
)
INSERT INTO stale SELECT source FROM above JOIN outlinks ON source = target ON CONFLICT DO NOTHING
"""
FRESH = "DELETE FROM stale WHERE target = ANY(ARRAY(SELECT id FROM names WHERE digest = ANY(%s::bytea[])))"
STANDING = """
SELECT place, target FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place)
JOIN names USING (digest) JOIN stands ON alias = id
"""
STAND = """
INSERT INTO stands VALUES (%s, %s) ON CONFLICT (alias) DO UPDATE SET target = excluded.target
"""
STAND_ALONE = "DELETE FROM stands WHERE alias = %s"
# Anchor texts of a URL and of its aliases count, or count no more, for the URLs that represent them.
WORDS_MOVED = """
WITH RECURSIVE above (target) AS (
    VALUES (%s::bigint) UNION SELECT stands.target FROM above JOIN stands ON alias = above.target
), below (target) AS (VALUES (%s::bigint) UNION SELECT alias FROM below JOIN stands USING (target))
INSERT INTO stale SELECT source FROM above JOIN outlinks ON source = target
WHERE EXISTS (SELECT 1 FROM below JOIN said USING (target)) ON CONFLICT DO NOTHING
"""
SETTLE = """
INSERT INTO machines AS known SELECT * FROM unnest(%s::bigint[], %s::text[])
ON CONFLICT (domain) DO UPDATE SET machine = excluded.machine WHERE known.machine != excluded.machine
"""
