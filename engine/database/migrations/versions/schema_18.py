"""Makes schema 18: what copies have themselves, so that one that stands has a page of its own."""

import sqlalchemy as sa
from alembic import op

revision = "18"
down_revision = "17"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Adds the table; copies of older days are visited anew once they should stand."""
    in_file = op.get_bind().dialect.name == "sqlite"
    op.create_table(
        "copies",
        sa.Column("url_id", NUMBER, *[sa.ForeignKey("urls.id")] * in_file, primary_key=True),
        sa.Column("fetched_at", sa.Float, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Float),
        sa.Column("flag", sa.Text),
        *(sa.Column(f"near_{number}", sa.BigInteger) for number in range(1, 7)),
        if_not_exists=True,
    )
