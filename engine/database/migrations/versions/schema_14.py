"""Makes schema 14: the database has a UUID, by which an index notes what it follows."""

import uuid

from alembic import op

revision = "14"
down_revision = "13"


def upgrade() -> None:
    """Adds the table with its one row."""
    op.execute("CREATE TABLE IF NOT EXISTS identity (uuid TEXT NOT NULL PRIMARY KEY)")
    op.execute(f"INSERT INTO identity SELECT '{uuid.uuid4()}' WHERE NOT EXISTS (SELECT 1 FROM identity)")  # noqa: S608
