"""Starts and stops the servers of scripts/bench-proxy, each as plain child processes, in a folder of its own."""
import http.client
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Workers or event loops of each server: one a core, as Larder takes them.
CORES = os.cpu_count() or 2
# Open files that a server may need: 10,000 connections, and room.
FILES = 16384


class Missing(Exception):
    """A server that can't take part; the text says why."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path):
    """Status, header fields by lower-case name, and the size of the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        size = len(response.read())
        return response.status, {name.lower(): value for name, value in response.getheaders()}, size
    finally:
        connection.close()


class Server:
    """One server in front of the origin on the port `origin`, with its files in `work`."""
    name = ""
    program = ""
    user = "nobody"  # who runs it where the benchmark is run by root
    says_hit = ("x-cache", "HIT")  # a header field of a hit, and what must stand in it
    version_options = ["-v"]
    logs = []  # files in its folder that may say why it did not start

    def __init__(self, work, origin):
        self.work = work
        self.origin = origin
        self.process = None
        self.port = None

    def version(self):
        """The program's own word for its version."""
        said = subprocess.run([self.path(), *self.version_options], capture_output=True, text=True, timeout=20)
        found = re.search(r"\d+\.\d+(\.\d+)?", said.stdout + said.stderr)
        return found.group(0) if found else "unknown"

    def path(self):
        places = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
        found = shutil.which(self.program, path=places)
        if not found:
            raise Missing(f"{self.program} is missing; scripts/setup bench installs it")
        return found

    def start(self):
        """Returns once it answers; raises Missing where it does not."""
        path = self.path()
        os.makedirs(self.work, exist_ok=True)
        self.port = free_port()
        self.prepare()
        account = self.account()
        if account:
            for folder, _, files in os.walk(self.work):
                for entry in [folder, *(os.path.join(folder, file) for file in files)]:
                    os.chown(entry, account.pw_uid, account.pw_gid)
        with open(os.path.join(self.work, "output"), "wb") as output:
            self.process = subprocess.Popen(
                [path, *self.options()], stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.work,
                env={**os.environ, **self.environment()}, start_new_session=True,
                **({"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}))
        self.wait_until_ready(time.monotonic() + 30)

    def account(self):
        if os.geteuid() != 0 or self.user is None:
            return None
        try:
            return pwd.getpwnam(self.user)
        except KeyError as unknown:
            raise Missing(f"there is no user {self.user} to run it as") from unknown

    def wait_until_ready(self, deadline):
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise Missing(f"ended at once with status {self.process.returncode}: {self.last_words()}")
            try:
                status, _, _ = get(self.port, "/ready/1")
                if status == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        raise Missing(f"no answer within 30 s: {self.last_words()}")

    def last_words(self):
        """The last line that it wrote, from its log or its standard error."""
        for log in [*self.logs, "output"]:
            try:
                with open(os.path.join(self.work, log), encoding="utf-8", errors="replace") as lines:
                    written = [line.strip() for line in lines if line.strip()]
            except OSError:
                continue
            telling = [line for line in written if re.search("fatal|error|emerg|denied", line, re.I)] or written
            if telling:
                return telling[-1][:200]
        return "it wrote nothing"

    def stop(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                pass
        # Its session holds only what it started itself: workers that outlived it, or all of it if it did not end.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        self.process = None

    def fill_in(self, source, target, **more):
        """Writes the configuration `source` of this folder to the working folder, with its @NAMES@ filled in."""
        with open(os.path.join(HERE, source), encoding="utf-8") as template:
            text = template.read()
        for name, value in {"WORK": self.work, "PORT": self.port, "ORIGIN": self.origin, "CORES": CORES,
                            "FILES": FILES, **more}.items():
            text = text.replace(f"@{name}@", str(value))
        with open(os.path.join(self.work, target), "w", encoding="utf-8") as filled:
            filled.write(text)

    def prepare(self):
        """Makes folders that it expects."""

    def options(self):
        return []

    def environment(self):
        return {}
