"""Larder and its peers: how each is started, and how it says that an answer was a hit."""
import os
import re

from servers import CORES, Missing, Server

# A pool of threads a core. A thread serves one busy connection, so these are enough for 32 without starting any.
VARNISH_OPTIONS = {
    "thread_pools": CORES,
    "thread_pool_min": 100,
    "thread_pool_max": 1000,
    "timeout_idle": 3600,  # idle connections stay for the whole measurement
    # No record for a request, not even in the log that Varnish keeps in memory for others to read.
    "vsl_mask": ",".join("-" + tag for tag in (
        "Begin", "End", "Link", "Hit", "Timestamp", "ReqStart", "ReqMethod", "ReqURL", "ReqProtocol", "ReqHeader",
        "ReqUnset", "ReqAcct", "RespMethod", "RespProtocol", "RespStatus", "RespReason", "RespHeader", "RespUnset",
        "VCL_call", "VCL_return", "VCL_use", "SessOpen", "SessClose")),
}


class Larder(Server):
    name = "larder"
    user = None  # as whoever runs the benchmark, who may be the only one to see the binary
    says_hit = ("cache-status", "; hit")

    def __init__(self, work, origin, binary):
        super().__init__(work, origin)
        self.binary = os.path.abspath(binary)  # it is started in its own folder

    def path(self):
        if not os.access(self.binary, os.X_OK):
            raise Missing(f"{self.binary} is no program")
        return self.binary

    def version(self):
        return "this one"

    def options(self):
        return ["proxy", "--listen", f"127.0.0.1:{self.port}", "--store", os.path.join(self.work, "store"),
                "--reverse", f"http://127.0.0.1:{self.origin}"]


class Nginx(Server):
    """As it is usually set up: bodies go from the page cache to the socket, and a head leaves together with them."""
    name = "nginx"
    program = "nginx"
    logs = ["error.log"]
    bodies = "sendfile on; tcp_nopush on;"

    def prepare(self):
        self.fill_in("nginx.conf", "nginx.conf", BODIES=self.bodies)

    def options(self):
        return ["-p", self.work, "-e", os.path.join(self.work, "error.log"),
                "-c", os.path.join(self.work, "nginx.conf")]


class NginxCopying(Nginx):
    """With bodies read into a buffer and written from there.

    Over loopback that is cheaper for both sides than `sendfile`; towards slow clients it takes a buffer for each.
    """
    name = "nginx-copy"
    bodies = "sendfile off; output_buffers 1 1m;"


class Varnish(Server):
    name = "varnish"
    program = "varnishd"
    version_options = ["-V"]

    def prepare(self):
        self.fill_in("varnish.vcl", "default.vcl")

    def options(self):
        parameters = [word for name, value in VARNISH_OPTIONS.items() for word in ("-p", f"{name}={value}")]
        return ["-F",                # a child of the benchmark
                "-j", "none",        # no change of user; it runs as nobody already
                "-n", os.path.join(self.work, "varnish"),
                "-a", f"127.0.0.1:{self.port}",
                "-T", "none",        # no port for administration
                "-f", os.path.join(self.work, "default.vcl"),
                "-s", "malloc,256m", *parameters]


class Squid(Server):
    name = "squid"
    program = "squid"
    user = "proxy"
    sockets = "/run/squid"  # where its workers meet; the place is compiled in, and Debian gives it to this user
    says_hit = ("x-cache", "HIT")
    logs = ["cache.log"]

    def prepare(self):
        if not self.account() and not os.access(self.sockets, os.W_OK):
            raise Missing(f"its workers need {self.sockets}, which {self.user} owns; run this as root")
        self.fill_in("squid.conf", "squid.conf")

    def options(self):
        # A name of its own, so that a Squid that runs as a service is not mistaken for it.
        return ["--foreground", "-n", f"bench{self.port}", "-f", os.path.join(self.work, "squid.conf")]


class TrafficServer(Server):
    name = "trafficserver"
    program = "traffic_server"
    version_options = ["-V"]
    logs = ["log/diags.log"]
    # The letters in Via: found in memory ("R") or on disk ("H") and fresh, no server asked, nothing fetched.
    says_hit = ("via", re.compile(r"\[c[RH]s f \]"))

    def prepare(self):
        for folder in ("cache", "run", "log"):
            os.makedirs(os.path.join(self.work, folder), exist_ok=True)
        for file in ("records.config", "remap.config", "storage.config", "ip_allow.yaml", "runroot.yaml"):
            self.fill_in(f"trafficserver/{file}", file)

    def options(self):
        return [f"--run-root={os.path.join(self.work, 'runroot.yaml')}"]


PEERS = [Nginx, NginxCopying, Varnish, Squid, TrafficServer]
