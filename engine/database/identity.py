"""Tells one crawl database from another, and from what it was before a failover.

An index follows the numbers of one database (engine.database.change_log). Another one has other numbers, and
a standby that took its server's place may lack the last of them and give them again, to other changes.
"""

import uuid

import sqlalchemy as sa

from engine.database.tables import identity

# Which server it is, and how often a standby took its place: the name of a WAL file begins with that.
_SERVER = sa.text("""
    SELECT (SELECT system_identifier FROM pg_control_system()) || '-'
        || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
""")


def create_identity(connection: sa.Connection) -> None:
    """Gives a new database its UUID."""
    connection.execute(sa.insert(identity), {"uuid": str(uuid.uuid4())})


def read_uuid(connection: sa.Connection) -> str:
    """Reads the UUID alone."""
    own: str = connection.execute(sa.select(identity.c.uuid)).scalar_one()
    return own


def write_uuid(connection: sa.Connection, uuid: str) -> None:
    """Gives a database whose rows are another's a UUID in the place of that one's."""
    connection.execute(sa.update(identity).values(uuid=uuid))


def read_identity(connection: sa.Connection) -> str:
    """Reads what tells this database from all others: its UUID, and of a server which one, after how many
    failovers.
    """
    own = read_uuid(connection)
    if connection.dialect.name == "sqlite":
        return own
    return f"{own} {connection.execute(_SERVER).scalar_one()}"
