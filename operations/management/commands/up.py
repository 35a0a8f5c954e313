"""`manage.py up`: web server, worker and beat in one process, which sets itself up."""

import errno
import os
import socket
import sys
import threading
from argparse import ArgumentParser
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import waitress
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import DEFAULT_DB_ALIAS, connection

from annotation.common.commands import Error, SegRanksCommand
from annotation.models import Project
from annotation.preparation.eflomal import find_program
from operations import database_upgrade, first_passwords, first_start
from operations.embedded_worker import EmbeddedWorker
from operations.garbage_collection import leave_out_what_is_loaded
from people.site_address import address_file

THREADS = 8
# The server cuts off larger requests. Below that, a page says that the files are too large.
LARGEST_REQUEST = max(2**30, 2 * settings.MAX_UPLOAD_BYTES)
# Seconds between two looks whether the projects that were announced are prepared.
LOOK_EVERY = 1.0


class Command(SegRanksCommand):
    needs_tables = False
    help = "Set up what is missing, and start the web server and the worker in one process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument(
            "--port",
            type=int,
            default=settings.PORT,
            help=f"port to listen on, 0 for any free one ({settings.PORT}; or set PORT)",
        )
        parser.add_argument(
            "--no-demo", action="store_true", help="create no demo project at the first start"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        worker = EmbeddedWorker()
        self._stopping = threading.Event()
        try:
            self._serve(worker, options["host"], options["port"], demo=not options["no_demo"])
        except KeyboardInterrupt:
            # Before the server runs; the server itself stops at the first one.
            pass
        finally:
            self._stopping.set()
            ended = worker.stop()
        self.stdout.write("\nSegRanks has stopped.")
        if not ended:
            # A calculation in a library cannot be interrupted.
            sys.stdout.flush()
            os._exit(0)

    def _serve(self, worker: EmbeddedWorker, host: str, port: int, *, demo: bool) -> None:
        listener = listen(host, port)
        self.stdout.write(f"The data folder is {settings.DATA_DIR}.")
        self._set_up_database()
        collect_static_files()
        first_start.create_initial_data(demo=demo)
        application = get_wsgi_application()
        leave_out_what_is_loaded()
        server = waitress.create_server(
            application,
            sockets=[listener],
            threads=THREADS,
            ident=None,
            max_request_body_size=LARGEST_REQUEST,
        )
        # First, so that a project is announced even if a worker prepares it within a moment.
        self._announce(listener)
        worker.start()
        server.run()

    def _set_up_database(self) -> None:
        if not database_upgrade.is_needed():
            return
        if copy := database_upgrade.copy_sqlite():
            self.stdout.write(
                f"The database is of an earlier SegRanks. It was copied to {copy}, and is upgraded "
                "now."
            )
            self.stdout.flush()
        call_command("migrate", database=DEFAULT_DB_ALIAS, interactive=False, verbosity=0)

    def _announce(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()[:2]
        address = ip_address(host)
        shown = f"[{host}]" if address.version == 6 else host
        if address.is_unspecified:
            # All addresses of this machine, such as that of a container.
            shown = "localhost"
        address_file().write_text(f"http://{shown}:{port}\n", encoding="utf-8")
        lines = [f"\nSegRanks is at http://{shown}:{port}/\n"]
        lines += self._accounts()
        preparing = dict(
            Project.objects.filter(state=Project.State.PREPARING).values_list("pk", "name")
        )
        if preparing:
            names = ", ".join(preparing.values())
            lines.append(f"In preparation, and announced here when that is done: {names}.")
        if not find_program("eflomal-align"):
            lines.append(
                "eflomal is not installed, so systran-align aligns words, which is less exact. The "
                "command build_eflomal builds eflomal."
            )
        if not address.is_loopback and set(settings.ALLOWED_HOSTS) <= settings.LOOPBACK_HOSTS:
            lines.append("Other machines are refused until ALLOWED_HOSTS has this machine's name.")
        self.stdout.write("\n".join([*lines, "Press Ctrl-C to stop."]))
        self.stdout.flush()
        if preparing:
            threading.Thread(
                target=self._announce_prepared, args=[preparing], name="announcer", daemon=True
            ).start()

    def _announce_prepared(self, waiting: dict[int, str]) -> None:
        """Print a line for each of the projects, names by id, once it is prepared or has failed."""
        try:
            while waiting and not self._stopping.wait(LOOK_EVERY):
                states = dict(Project.objects.filter(pk__in=waiting).values_list("pk", "state"))
                for pk, name in list(waiting.items()):
                    state = states.get(pk)
                    if state == Project.State.PREPARING:
                        continue
                    del waiting[pk]
                    if state == Project.State.OPEN:
                        self.stdout.write(f"{name} is prepared and open to judge.")
                    elif state == Project.State.FAILED:
                        self.stdout.write(f"{name} could not be prepared; its page says why.")
                    elif state is not None:
                        self.stdout.write(f"{name} is prepared.")
                    self.stdout.flush()
        finally:
            connection.close()

    def _accounts(self) -> list[str]:
        passwords = first_passwords.passwords()
        if not passwords:
            return ["Sign in with your account; `manage.py changepassword NAME` sets a password."]
        path = first_passwords.sign_in_file()
        near = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        width = max(map(len, passwords))
        return [
            "Sign in as one of these, with its first password:",
            *(f"    {name:{width}}  {password}" for name, password in passwords.items()),
            f"(kept in {near})\n",
        ]


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; requests wait until the server is ready.

    Raises Error where the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OverflowError as problem:
        raise Error(f"There is no port {port}: choose one from 0 to 65535.") from problem
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise Error(
                f"Port {port} of {host} is in use: stop what uses it, or choose another port, as "
                f"in PORT={port + 1}."
            ) from problem
        reason = problem.strerror or problem
        raise Error(f"Port {port} of {host} cannot be used: {reason}.") from problem


def collect_static_files() -> None:
    """Collect static files where that was never done."""
    if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        call_command("collectstatic", interactive=False, verbosity=0)
