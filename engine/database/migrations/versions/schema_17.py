"""Makes schema 17: feeds, which are found by who named them, and the dates that they give their items."""

import sqlalchemy as sa
from alembic import op

revision = "17"
down_revision = "16"


def upgrade() -> None:
    """Adds the column and the index."""
    if "published_at" not in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("urls")}:
        op.add_column("urls", sa.Column("published_at", sa.Float))
    op.execute("CREATE INDEX IF NOT EXISTS urls_feeds ON urls (parent_id) WHERE kind = 'feed'")
