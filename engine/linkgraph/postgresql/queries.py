"""The questions that a link graph in a schema is asked.

Each asks for many URLs at once, by their digests, and answers with the place of each in the question.
"""

_URLS = """
SELECT place, NULL::bigint, id FROM unnest(%s::bytea[]) WITH ORDINALITY AS u (digest, place)
JOIN names USING (digest)
"""
# With the number of who votes on each for itself.
_URLS_AND_VOTERS = """
SELECT place, own.id, names.id
FROM unnest(%s::bytea[], %s::bytea[]) WITH ORDINALITY AS u (digest, voter, place)
JOIN names USING (digest) LEFT JOIN names own ON own.digest = u.voter
"""
# Each URL's place, with all the numbers that it goes by: its own, its aliases'.
_WANTED = """
WITH RECURSIVE asked (place, value, target) AS ({0}), wanted (place, value, target) AS (
    SELECT place, value, target FROM asked
    UNION SELECT place, value, alias FROM wanted JOIN stands USING (target)
)
"""
_OF_URLS, _OF_VOTED = _WANTED.format(_URLS), _WANTED.format(_URLS_AND_VOTERS)
_MACHINES = """
LEFT JOIN machines theirs ON theirs.domain = voter LEFT JOIN machines ours ON ours.domain = value
"""
# Domains of one machine are one voter (engine.linkgraph.sqlite.machines).
_SAME = "coalesce(theirs.machine = ours.machine AND voter IS DISTINCT FROM value, false)"
_VOICE = f"CASE WHEN {_SAME} THEN -1 ELSE voter END"
# Pages of a voter may use several names of a URL, or all of them at once. Which do is not known here, so
# those count that use the same: no page counts twice. Summed in the order of SQLite, whose sums round to the
# same six digits.
INLINKS = f"""
{_OF_VOTED}, cast_votes AS (
    SELECT place, value, voter, max(pages) AS pages FROM wanted JOIN votes USING (target) GROUP BY 1, 2, 3
), voices AS (
    SELECT place, value, {_VOICE} AS voice, sum(pages)::float8 AS pages FROM cast_votes {_MACHINES}
    GROUP BY 1, 2, 3
)
SELECT place, sum(pages)::bigint, count(*),
    sum(pages / (pages + CASE WHEN voice = value THEN %s::float8 ELSE %s::float8 END) ORDER BY voice)
FROM voices GROUP BY place ORDER BY place
"""  # noqa: S608  (text of ours)
# The same votes in less time: all voters are one by one already but those of one machine.
VOTES = f"""
{_OF_VOTED}, cast_votes AS (
    SELECT place, value, voter, max(pages)::float8 AS pages
    FROM wanted JOIN votes USING (target) GROUP BY 1, 2, 3
), added AS (
    SELECT place, sum(pages) FILTER (WHERE {_SAME}) AS shared, sum(
        pages / (pages + CASE WHEN voter = value THEN %s::float8 ELSE %s::float8 END)
    ) FILTER (WHERE NOT {_SAME}) AS own FROM cast_votes {_MACHINES} GROUP BY place
)
SELECT place, coalesce(own, 0) + coalesce(shared / (shared + %s::float8), 0) FROM added
"""  # noqa: S608  (text of ours)
PAGES = f"""
{_OF_URLS}, counted AS (
    SELECT place, voter, max(pages) AS pages FROM wanted LEFT JOIN votes USING (target) GROUP BY 1, 2
)
SELECT place, coalesce(sum(pages), 0)::bigint FROM counted GROUP BY place ORDER BY place
"""  # noqa: S608  (text of ours)
# A link without words says nothing, but that there is one: it comes last.
ANCHORS = f"""
{_OF_VOTED}, chosen AS (
    SELECT place, anchor, count(DISTINCT {_VOICE}) AS voters FROM wanted JOIN said USING (target) {_MACHINES}
    GROUP BY 1, 2
), ranked AS (
    SELECT place, name, voters,
        row_number() OVER (PARTITION BY place ORDER BY name = '', voters DESC, name) AS number
    FROM chosen JOIN names ON id = anchor
)
SELECT place, name, voters FROM ranked WHERE number <= %s ORDER BY place, number
"""  # noqa: S608  (text of ours)
CALLED = f"{_OF_URLS} SELECT DISTINCT target FROM wanted ORDER BY target"  # noqa: S608  (text of ours)
OUTLINKS = """
SELECT place, edges FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place)
JOIN names USING (digest) JOIN outlinks ON source = id ORDER BY place
"""
STALE = "SELECT name FROM stale JOIN names ON id = target ORDER BY target LIMIT %s"
# Links to these names alone, whatever they stand for.
LINKING = """
SELECT place, id, sum(pages)::bigint FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place)
JOIN names USING (digest) JOIN votes ON target = id GROUP BY place, id ORDER BY place
"""
VOTERS = """
SELECT theirs.name FROM names JOIN votes ON target = names.id JOIN names theirs ON theirs.id = voter
WHERE names.digest = %s ORDER BY voter LIMIT %s
"""
