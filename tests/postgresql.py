"""A PostgreSQL server on loopback, for tests: a folder of its own, no password, killed at the end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

USER = "postgres"  # a server refuses to run as root
# Nothing need survive a power cut, which no test can bring about. Shared memory is in files of its folder,
# which is deleted: in /dev/shm a server that is killed leaves it for ever.
SETTINGS = {
    "dynamic_shared_memory_type": "mmap",
    "fsync": "off",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "full_page_writes": "off",
    "autovacuum_naptime": "5s",
    "wal_level": "replica",
    "jit": "off",
}


def find_binaries() -> Path | None:
    """Debian puts the server where no PATH leads."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class Server:
    """A server in a folder of its own."""

    def __init__(self, folder: Path, addresses: str = "127.0.0.1") -> None:
        binaries = find_binaries()
        assert binaries
        self._binaries, self.folder = binaries, folder
        self._settings = SETTINGS | {"listen_addresses": addresses}
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0

    @property
    def _log(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.log")

    def initialise(self) -> None:
        """Makes an empty cluster."""
        self.folder.mkdir(parents=True)
        _give_away(self.folder)
        command = ["initdb", "--pgdata", str(self.folder), "--username", USER, "--auth=trust"]
        self._run(*command, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")

    def start(self) -> None:
        """Starts it and waits until it answers."""
        options = [f"-c{name}={value}" for name, value in (self._settings | {"port": str(self.port)}).items()]
        command = [*self._as_user(), str(self._binaries / "postgres"), "-D", str(self.folder), *options]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        engine = sa.create_engine(self.url("postgres").replace("postgresql://", "postgresql+psycopg://"))
        until = time.monotonic() + 60
        while True:
            try:
                with engine.connect():
                    break
            except sa.exc.OperationalError:
                assert time.monotonic() < until
                assert self._process.poll() is None, self._log.read_text()[-2000:]
                time.sleep(0.05)
        engine.dispose()

    def kill(self) -> None:
        """Kills it and all that it has started, as kill -9 does."""
        if self._process:
            kill_tree(self._process.pid)
            self._process.wait()
            (self.folder / "postmaster.pid").unlink(missing_ok=True)
            self._process = None

    def stop(self) -> None:
        """Stops it in order."""
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            self._process = None

    def url(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def create_database(self, template: str = "template1") -> str:
        """Makes a database; returns its URL."""
        self._made += 1
        name = f"test_{os.getpid()}_{self._made}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Runs a statement outside of any transaction."""
        with self.session(database) as connection:
            connection.exec_driver_sql(statement)

    def ask(self, query: str) -> object:
        """Returns the one value that a query gives."""
        with self.session("postgres") as connection:
            return connection.exec_driver_sql(query).scalar_one()

    @contextmanager
    def session(self, database: str) -> Iterator[sa.Connection]:
        url = self.url(database).replace("postgresql://", "postgresql+psycopg://")
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            yield connection
        engine.dispose()

    def make_standby(self) -> "Server":
        """Makes a server that follows this one, beside it; it is to be started."""
        standby = Server(self.folder.with_name("standby"), self._settings["listen_addresses"])
        standby.folder.mkdir(mode=0o700)
        _give_away(standby.folder)
        place = ["-D", str(standby.folder), "-h", "127.0.0.1", "-p", str(self.port), "-U", USER]
        command = ["pg_basebackup", *place]
        self._run(*command, "-R", "-X", "stream", "-c", "fast")
        return standby

    def wait_for_replay(self, primary: "Server") -> None:
        """Waits until a standby has all that its server has."""
        position = str(primary.ask("SELECT pg_current_wal_flush_lsn()"))
        until = time.monotonic() + 60
        while not self.ask(f"SELECT pg_last_wal_replay_lsn() >= '{position}'::pg_lsn"):
            assert time.monotonic() < until
            time.sleep(0.05)

    def lose_what_follows(self) -> None:
        """Lets a standby receive nothing more."""
        self.execute("ALTER SYSTEM SET primary_conninfo = ''")
        self.execute("SELECT pg_reload_conf()")
        until = time.monotonic() + 60
        while self.ask("SELECT count(*) FROM pg_stat_wal_receiver"):
            assert time.monotonic() < until
            time.sleep(0.05)

    def promote(self) -> None:
        """Makes a standby the server that is written to."""
        self.execute("SELECT pg_promote(true, 60)")

    def take_place_of(self, primary: "Server") -> None:
        """Promotes a standby, and lets it answer where its dead server did."""
        self.promote()
        self.stop()
        self.port = primary.port
        self.start()

    def _run(self, *command: str) -> None:
        whole = [*self._as_user(), str(self._binaries / command[0]), *command[1:]]
        subprocess.run(whole, check=True, capture_output=True, cwd="/")

    @staticmethod
    def _as_user() -> list[str]:
        return ["setpriv", "--reuid", USER, "--regid", USER, "--init-groups"] if os.geteuid() == 0 else []


@contextmanager
def run_server(addresses: str = "127.0.0.1", disk: Path | None = None) -> Iterator[Server]:
    """Runs an empty server on a disk, not in pytest's folders: another pytest closes these to the server's
    user.
    """
    with TemporaryDirectory(prefix="lycosa-postgresql-", dir=disk) as folder:
        server = Server(Path(folder) / "server", addresses)
        server.initialise()
        server.start()
        try:
            yield server
        finally:
            server.kill()


def _give_away(folder: Path) -> None:
    """Gives a folder to the server's user, and lets him come to it."""
    if os.geteuid() == 0:
        owner = pwd.getpwnam(USER)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        folder.parent.chmod(0o711)


def kill_tree(pid: int) -> None:
    """Kills a process and its children, first stopped, so that it makes no more of them; waits until they are
    dead, as a server does not start while a child of the one before has still its memory.
    """
    try:
        os.kill(pid, signal.SIGSTOP)
        _wait_for_state(pid, "TZX")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for child in children:
            kill_tree(int(child))
        os.kill(pid, signal.SIGKILL)
        _wait_for_state(pid, "ZX")
    except (FileNotFoundError, ProcessLookupError):
        return


def _wait_for_state(pid: int, states: str) -> None:
    """Waits until a process is in one of these of proc(5). Raises FileNotFoundError where it is gone."""
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in states:
        time.sleep(0.001)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
