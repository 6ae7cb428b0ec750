"""Makes schema 14: a UUID of the database, by which an index notes what it follows; places of hosts."""

import uuid

import sqlalchemy as sa
from alembic import op

revision = "14"
down_revision = "13"


def upgrade() -> None:
    """Adds the table with its one row, and the column."""
    op.execute("CREATE TABLE IF NOT EXISTS identity (uuid TEXT NOT NULL PRIMARY KEY)")
    op.execute(f"INSERT INTO identity SELECT '{uuid.uuid4()}' WHERE NOT EXISTS (SELECT 1 FROM identity)")  # noqa: S608
    columns = [column["name"] for column in sa.inspect(op.get_bind()).get_columns("hosts")]
    if "place" not in columns:
        op.add_column("hosts", sa.Column("place", sa.Integer))
