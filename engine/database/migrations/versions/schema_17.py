"""Makes schema 17: feeds, which are found by who named them, and the dates that they give their items."""

from alembic import op

revision = "17"
down_revision = "16"


def upgrade() -> None:
    """Adds the column and the index."""
    op.execute("ALTER TABLE urls ADD COLUMN published_at FLOAT")
    op.execute("CREATE INDEX IF NOT EXISTS urls_feeds ON urls (parent_id) WHERE kind = 'feed'")
