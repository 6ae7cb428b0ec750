"""Makes schema 16: indexes of moved seeds and of twins, in place of one of all seeds."""

from alembic import op

revision = "16"
down_revision = "15"


def upgrade() -> None:
    """Makes the indexes anew."""
    op.execute("DROP INDEX IF EXISTS urls_seeds")
    op.execute("CREATE INDEX IF NOT EXISTS urls_moved_seeds ON urls (id) WHERE depth = 0 AND state = 'alias'")
    op.execute("CREATE INDEX IF NOT EXISTS hosts_twins ON hosts (id) WHERE twin IS NOT NULL")
