"""Makes schema 13: of the URLs at which a crawl begins, where each came from."""

from alembic import op

revision = "13"
down_revision = "12"


def upgrade() -> None:
    """Adds the table; the next crawl fills it."""
    op.execute(
        "CREATE TABLE IF NOT EXISTS roots"
        " (url TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, label TEXT NOT NULL)"
    )
