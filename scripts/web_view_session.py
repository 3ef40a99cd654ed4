"""A web view in a process of its own, told what to do by lines of JSON (Tools/Sources/WebVisit)."""
import contextlib
import json
import os
import select
import struct
import subprocess
import tempfile


def certify(folder, *names):
    """A certificate for the names of loopback and others, which vouches for itself; returns it and its key."""
    certificate, key = os.path.join(folder, "server.pem"), os.path.join(folder, "server.key")
    known = ",".join(f"DNS:{name}" for name in ["localhost", "*.localhost", *names]) + ",IP:127.0.0.1"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", f"subjectAltName={known}", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL)
    return certificate, key


def test_host(given=None):
    """The program that sessions run in: the one that was given, else a release build."""
    if given is not None:
        return given
    build = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "build-tools"), "larder-webview-testhost"]
    built = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    return os.path.join(built, "larder-webview-testhost")


@contextlib.contextmanager
def virtual_display(screen="1400x1000x24"):
    """The variables of a display that nobody else sees or types into, as long as it is there."""
    reading, writing = os.pipe()
    # mkstemp: mode 0600. One entry of Xau(3): FamilyWild, no address, no number, the protocol's name, a new cookie.
    descriptor, authority = tempfile.mkstemp(prefix="larder-display-")
    name = b"MIT-MAGIC-COOKIE-1"
    with open(descriptor, "wb") as file:
        file.write(struct.pack(f">HHHH{len(name)}sH16s", 65535, 0, 0, len(name), name, 16, os.urandom(16)))
    try:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-auth", authority, "-screen", "0", screen, "-nolisten", "tcp"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        try:
            yield {"DISPLAY": ":" + os.read(reading, 16).decode().strip(), "XAUTHORITY": authority}
        finally:
            os.close(reading)
            server.terminate()
            server.wait()
    finally:
        os.unlink(authority)


class SessionEnded(Exception):
    """The process has ended, refused what it was told, or did not answer in time."""


class Session:
    def __init__(self, program, request, display=None):
        environment = dict(os.environ, NO_AT_BRIDGE="1", WEBKIT_DISABLE_COMPOSITING_MODE="1", **(display or {}))
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.steps, self.unread = 0, b""
        self.tell({"session": request})
        self.hear("ready")

    @staticmethod
    def request(mode, view, store=None, authorities=None):
        """A session in `mode`; with a scheme handler, on the store in that folder."""
        request = {"view": {"url": "about:blank"} | view, "mode": mode, "usesPageCache": False,
                   "looksForBlankPages": False, "recovers": True}
        if mode in ("appScheme", "httpsScheme"):
            request["cache"] = {
                "storeDirectory": str(store), "rules": "default", "account": "", "hostMap": [],
                "connectivity": {"hasNetwork": True, "isExpensive": False, "isConstrained": False, "isLowPower": False},
                "originAuthorities": authorities and str(authorities), "isSelfTest": False,
            }
        return request

    def tell(self, command):
        try:
            self.process.stdin.write((json.dumps(command) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise SessionEnded("the web view has ended") from None

    def hear(self, kind, seconds=None):
        """The next event of this kind; others are passed over."""
        while True:
            line, end, rest = self.unread.partition(b"\n")
            if end:
                self.unread = rest
                event = json.loads(line)
                if "failed" in event:
                    raise SessionEnded(str(event["failed"]))
                if kind in event:
                    return event[kind]
                continue
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                raise SessionEnded("no answer in time")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise SessionEnded("the web view has ended")
            self.unread += more

    def perform(self, step, seconds=None):
        """Does a step, and returns what was seen. `seconds` limits the time in which nothing comes from the web view."""
        self.steps += 1
        self.tell({"step": {"id": self.steps, "step": step}})
        return self.hear("stepped", seconds)["seen"]

    def end(self):
        self.tell({"end": {}})
        self.process.stdin.close()
        for _ in self.process.stdout:
            pass
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()
