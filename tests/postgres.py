"""A PostgreSQL server for the tests: made in a new folder, started, stopped and removed by them.

The programs are those of the machine (`make test` installs them where it can). PostgreSQL refuses
to run as root; started by root it runs as another user.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PASSWORD = "only-for-tests"
_RESCUE = 120.0  # seconds


def programs() -> Path | None:
    """The folder with initdb and postgres, the newest if there are several."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres", path=str(Path(found).resolve().parent)):
        return Path(found).resolve().parent
    folders = [p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    folders += [p.parent for p in Path("/usr").glob("pgsql-*/bin/initdb")]
    return max(folders, key=lambda f: float(f.parent.name.removeprefix("pgsql-")), default=None)


class Server:
    def __init__(self, folder: Path, bin: Path, durable: bool) -> None:
        self.folder = folder
        self._durable = durable
        self._bin = bin
        self._user = None
        if os.geteuid() == 0:
            names = [user.pw_name for user in pwd.getpwall()]
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(folder, self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def url(
        self, database: str = "postgres", *, password: str = PASSWORD, user: str = "ann"
    ) -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        if self._user:
            shutil.chown(secret, self._user)
        options = [
            "--auth=scram-sha-256",
            "--username=ann",
            f"--pwfile={secret}",
            "--encoding=UTF8",
        ]
        self._run("initdb", *options, "--locale=C", "--no-sync", "--pgdata", self._data)

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k '{self.folder}'"
        options += f" -c max_connections=60 -c fsync={'on' if self._durable else 'off'}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-t", "60", "-D", self._data, "-o", options, "-l", log, "start")

    def stop(self, mode: str = "fast") -> None:
        """`mode="immediate"` is a crash: what memory holds is gone."""
        self._run("pg_ctl", "-w", "-t", "60", "-D", self._data, "-m", mode, "stop")

    def processes(self) -> list[int]:
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], stdout=subprocess.PIPE)
        return [first, *map(int, told.stdout.split())]

    def may_not_grow(self) -> None:
        """No file of its may grow any more, as on a full disk; until it is started again."""
        program = shutil.which("prlimit")
        assert program is not None
        for process in self.processes():
            with suppress(RuntimeError):  # some of them end just now
                # By its own user: root in a container may not set limits of others.
                self._run(program, "--pid", str(process), "--fsize=4096:")

    @contextmanager
    def alone(self, name: str) -> Iterator[Any]:
        """A connection beside a database that nobody may enter meanwhile."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
                [name],
            )
            try:
                yield connection
            finally:
                connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All of its processes stand still: connections stay open, and nobody answers."""
        everyone = self.processes()

        def go_on() -> None:
            for process in everyone:
                os.kill(process, signal.SIGCONT)

        for process in everyone:
            os.kill(process, signal.SIGSTOP)
        # Whoever waits for ever is answered at last, and their test fails instead of hanging.
        rescue = threading.Timer(_RESCUE, go_on)
        rescue.start()
        try:
            yield
        finally:
            rescue.cancel()
            go_on()

    def database(self, name: str, *, like: str = "template1", owner: str = "ann") -> str:
        """The address of a new database."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}" OWNER "{owner}"')
        return self.url(name, user=owner)

    def user(self, name: str) -> None:
        """One more user, with the same password."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{PASSWORD}'")

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        # No pipes: the server would inherit them, and waiting for their end would take for ever.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [str(self._bin / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                user=self._user,
                group=pwd.getpwnam(self._user).pw_gid if self._user else None,
                extra_groups=[] if self._user else None,
                env={**os.environ, "LC_ALL": "C"},
                cwd=self.folder,
                timeout=120,
            )
            said.seek(0)
            if done.returncode:
                raise RuntimeError(f"{program} failed: {said.read()}")


@contextmanager
def running(*, durable: bool = False) -> Iterator[Server]:
    """A server of its own, for as long as the block lasts; one that may crash has to be durable."""
    found = programs()
    if found is None:
        raise FileNotFoundError("no PostgreSQL programs")
    folder = Path(tempfile.mkdtemp(prefix="counsel-postgres-"))
    try:
        server = Server(folder, found, durable)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
