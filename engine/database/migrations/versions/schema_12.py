"""Makes schema 12: pages that answered 404 are found by an index."""

from alembic import op

revision = "12"
down_revision = "11"


def upgrade() -> None:
    """Adds the index."""
    op.execute(
        "CREATE INDEX IF NOT EXISTS urls_missing ON urls (missing_since) WHERE missing_since IS NOT NULL"
    )
