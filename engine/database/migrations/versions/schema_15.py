"""Makes schema 15: on a server, too, the index of forced URLs is of these alone, not of all."""

from alembic import op

revision = "15"
down_revision = "14"


def upgrade() -> None:
    """Makes the index anew on a server; in a file it is what it should be."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP INDEX IF EXISTS urls_forced")
        op.execute("CREATE INDEX urls_forced ON urls (id) WHERE reason = 'forced'")
