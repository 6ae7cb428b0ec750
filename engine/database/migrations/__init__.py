"""Migrates the crawl database of an older Lycosa, a revision for each schema since (Alembic).

`versions/schema_N.py` makes schema N of schema N - 1, after 14 on a server, too. SQLite keeps the number
in the file's header (`user_version`): an older Lycosa sees by it, too, that a file is newer, so Alembic's
table of versions is not used. Alembic brings the chain of revisions and their operations; it is imported
only where there is something to migrate.
"""

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

REVISIONS = Path(__file__).parent


def migrate(
    connection: sa.Connection, version: int, note_version: Callable[[sa.Connection, int], None]
) -> None:
    """Runs the revisions after a schema in the caller's transaction: a kill leaves the old one or the new."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    chain = ScriptDirectory(str(REVISIONS)).walk_revisions()
    with Operations.context(MigrationContext.configure(connection)):
        for revision in reversed(list(chain)):
            if int(revision.revision) > version:
                revision.module.upgrade()
                note_version(connection, int(revision.revision))
