"""Servers of generated sites: nginx, Python's own, and one that has the faults of many."""
import functools
import gzip
import hashlib
import http.server
import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse

TYPES = {"html": "text/html; charset=utf-8", "js": "text/javascript", "mjs": "text/javascript", "css": "text/css", "svg": "image/svg+xml",
         "json": "application/json", "webmanifest": "application/manifest+json", "png": "image/png", "ttf": "font/ttf", "txt": "text/plain"}
VARY = [None, "Accept-Encoding", "Accept-Encoding, User-Agent", "Accept-Language", "Origin", "Accept",
        "Sec-Fetch-Dest, Sec-Fetch-Mode, Sec-Fetch-Site", "Origin, Accept-Encoding, Access-Control-Request-Method", "Sec-Purpose",
        "Referer"]
NEVER = ["*", "Cookie", "Authorization"]
CACHE = [None, None, "no-cache", "max-age=0, must-revalidate", "max-age=600", "private, max-age=60", "public, max-age=31536000, immutable"]
# Of one file each: for ever, or until the next deploy.
FAULTS = ["404", "500", "close", "cut", "html", "old", "edge", "elsewhere", "no-store", "vary", "type", "silent"]
FROZEN = 1700000000


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 90

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        host = self.server.host
        time.sleep(host.delay)
        status, fields, content, fault = host.answer(self.path, self.headers)
        try:
            if fault == "close":
                self.close_connection = True
                return
            if fault == "silent":
                host.released.wait(80)
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in fields.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD" and status != 304:
                self.wfile.write(content[:len(content) // 2] if fault == "cut" else content)
            if fault == "cut":
                self.close_connection = True
        except OSError:
            self.close_connection = True


class Host:
    """Serves a dictionary; `faults` are by path."""
    name = "scripted"

    def __init__(self, plan, port, pick):
        self.plan, self.port = plan, port
        self.files, self.before, self.faults = {}, {}, {}
        self.vary, self.cache = pick.choice(VARY), pick.choice(CACHE)
        self.tags = pick.choice(["strong", "strong", "weak", "none", "frozen"])
        self.never = pick.choice(NEVER)
        self.codes = pick.random() < 0.4
        self.fallback = pick.random() < 0.15
        self.plain_types = pick.random() < 0.2
        self.server, self.delay = None, 0

    def describe(self):
        return f"{self.name} vary={self.vary} cache={self.cache} tags={self.tags}" + " gzip" * self.codes + " fallback" * self.fallback \
            + " plain-types" * self.plain_types + "".join(f" {path}:{fault}" for path, fault in self.faults.items())

    def deploy(self, files):
        self.before, self.files = self.files, files

    def start(self):
        self.released = threading.Event()
        self.server = Quiet(("127.0.0.1", self.port), self.handler())
        self.server.host = self
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def handler(self):
        return Handler

    def stop(self):
        if self.server:
            self.released.set()
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def answer(self, target, asked):
        """Status, fields, content, and the fault of this path."""
        path = urllib.parse.unquote(target.split("?")[0])
        prefix = self.plan.prefix
        if not path.startswith(prefix):
            if path + "/" == prefix:
                return 301, {"Location": prefix}, b"", None
            return 404, {"Content-Type": "text/html"}, b"<title>404</title>none", None
        path = path[len(prefix):]
        status, found = self.find(path)
        if status in (301, 302, 308):
            return status, {"Location": prefix + urllib.parse.quote(found)}, b"", None
        if status == 404:
            return 404, {"Content-Type": "text/html"}, self.files.get("404.html", b"<title>404</title>none"), None
        content, fault = self.files[found], self.faults.get(found)
        if fault in ("old", "edge") and (fault == "old" or "no-cache" not in asked.get("Cache-Control", "")):
            content = self.before.get(found, content)
        if fault == "404":
            return 404, {"Content-Type": "text/html"}, b"<title>404</title>none", None
        if fault == "500":
            return 500, {"Content-Type": "text/html"}, b"<title>500</title>broken", None
        if fault == "html":
            return 200, {"Content-Type": "text/html"}, b"<!doctype html><title>app</title>", None
        if fault == "elsewhere":
            return 302, {"Location": "http://127.0.0.1:9/" + found.rpartition("/")[2]}, b"", None
        return self.found(found, content, fault, asked)

    def found(self, path, content, fault, asked):
        ending = path.rpartition(".")[2]
        kind = TYPES.get(ending, "application/octet-stream")
        if self.plain_types and ending in ("ttf", "json"):
            kind = "application/octet-stream"
        if fault == "type":
            kind = "text/plain"
        fields = {"Content-Type": kind}
        if self.cache and not path.startswith("larder/") and not (ending == "html" and "immutable" in self.cache):
            fields["Cache-Control"] = self.cache
        if fault == "no-store":
            fields["Cache-Control"] = "no-store"
        vary = self.never if fault == "vary" else self.vary
        if vary and not path.startswith("larder/"):
            fields["Vary"] = vary
        tag = hashlib.sha256(content).hexdigest()[:12] if self.tags != "frozen" else f"{FROZEN:x}-{len(content):x}"
        if self.tags != "none":
            fields["ETag"] = ("W/" if self.tags == "weak" else "") + f'"{tag}"'
        if self.tags == "frozen":
            fields["Last-Modified"] = "Tue, 14 Nov 2023 22:13:20 GMT"
        known = [each.strip().removeprefix("W/") for each in asked.get("If-None-Match", "").split(",")]
        if fields.get("ETag", "none").removeprefix("W/") in known:
            return 304, fields, b"", fault
        if self.codes and "gzip" in asked.get("Accept-Encoding", "") and ending in ("html", "js", "css", "svg", "json"):
            content = gzip.compress(content, mtime=0)
            fields["Content-Encoding"] = "gzip"
            fields["Vary"] = ", ".join(filter(None, [fields.get("Vary"), "Accept-Encoding"]))
        return 200, fields, content, fault

    def find(self, path):
        """A status, and the file or the path of a redirect."""
        plan, files = self.plan, self.files
        if path in ("404.html", "_headers"):
            return 404, None
        if path == "" and plan.root_redirect:
            return 302, plan.root_redirect
        if (path == "" or path.endswith("/")) and path + "index.html" in files:
            return 200, path + "index.html"
        if path in files:
            if path.endswith(".html") and plan.clean and plan.redirects_html:
                return 308, path[:-len("index.html")] if path == "index.html" or path.endswith("/index.html") else path[:-5]
            return 200, path
        if plan.clean and path + ".html" in files:
            return 200, path + ".html"
        if path and path + "/index.html" in files:
            return 301, path + "/"
        if self.fallback and "index.html" in files and "." not in path.rpartition("/")[2]:
            return 200, "index.html"
        return 404, None

    def others(self, page):
        """The other addresses under which it answers with a page."""
        path = page.stem + page.suffix
        address = self.plan.address(page)
        candidates = [path, path[:-len("index.html")], address.rstrip("/")] if path.endswith("index.html") else [path, page.stem]
        seen = []
        for candidate in candidates:
            if candidate in seen or candidate == address or not candidate:
                continue
            status, found = self.find(candidate)
            if status in (301, 308):
                status, found = self.find(found)
            if status == 200 and found == path:
                seen.append(candidate)
        return seen


class Folder(Host):
    """A host that serves a folder of the disk."""

    def __init__(self, plan, port, pick, work):
        super().__init__(plan, port, pick)
        self.vary = self.cache = None
        self.tags, self.codes, self.fallback, self.plain_types = "none", False, False, False
        self.root, self.is_frozen = os.path.join(work, "www"), pick.random() < 0.5
        plan.redirects_html = False

    def describe(self):
        return self.name + " frozen-times" * self.is_frozen + "".join(f" {path}:{fault}" for path, fault in self.faults.items())

    def deploy(self, files):
        super().deploy(files)
        shutil.rmtree(self.root, ignore_errors=True)
        os.makedirs(self.root)
        for path, content in files.items():
            fault = self.faults.get(path)
            if path in ("_headers",) or fault == "404":
                continue
            whole = os.path.join(self.root, self.plan.prefix.strip("/"), path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "wb") as file:
                file.write(self.before.get(path, content) if fault == "old" else content)
            if self.is_frozen:
                os.utime(whole, (FROZEN, FROZEN))


class Python(Folder):
    name = "python"

    def __init__(self, plan, port, pick, work):
        plan.clean, plan.root_redirect = False, None
        super().__init__(plan, port, pick, work)

    def handler(self):
        class Plain(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass
        return functools.partial(Plain, directory=self.root)


class Nginx(Folder):
    name = "nginx"
    program = shutil.which("nginx") or "/usr/sbin/nginx"

    def __init__(self, plan, port, pick, work):
        super().__init__(plan, port, pick, work)
        self.work = work
        plan.root_redirect = plan.root_redirect and plan.prefix == "/" and plan.root_redirect
        self.expires = pick.choice(["", "", "expires 1h;", "expires -1;", "add_header Vary 'Accept-Language, Origin';"])
        types = "text/css application/javascript image/svg+xml"
        self.gzip = pick.choice(["gzip off;", f"gzip on; gzip_min_length 0; gzip_vary on; gzip_types {types};"])
        self.process = None

    def describe(self):
        return super().describe() + f" {self.expires or 'plain'} {self.gzip[:7]}"

    def start(self):
        user = pwd.getpwuid(os.getuid()).pw_name
        root = f"location = / {{ return 302 /{self.plan.root_redirect}; }}" if self.plan.root_redirect else ""
        tries = "try_files $uri $uri.html $uri/ =404;" if self.plan.clean else ""
        as_user = f"user {user};" if os.getuid() == 0 else ""
        text = f"""daemon off; master_process off; {as_user} pid {self.work}/pid; error_log {self.work}/error.log;
            events {{ worker_connections 64; }}
            http {{ include /etc/nginx/mime.types; default_type application/octet-stream; access_log off; absolute_redirect off;
            client_body_temp_path {self.work}/a; proxy_temp_path {self.work}/b; fastcgi_temp_path {self.work}/c;
            uwsgi_temp_path {self.work}/d; scgi_temp_path {self.work}/e; {self.gzip}
            server {{ listen 127.0.0.1:{self.port} reuseport; root {self.root}; error_page 404 {self.plan.prefix}404.html;
            location = {self.plan.prefix}404.html {{ internal; }} {root}
            location {self.plan.prefix}larder/ {{ }} location / {{ {tries} {self.expires} }} }} }}"""
        with open(os.path.join(self.work, "nginx.conf"), "w") as file:
            file.write(text)
        self.process = subprocess.Popen([self.program, "-c", os.path.join(self.work, "nginx.conf")], stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None


def host(plan, port, pick, work):
    kind = pick.choice(["scripted"] * 5 + ["nginx"] * 3 + ["python"] * 2)
    if kind == "python" and not (plan.clean or plan.root_redirect):
        return Python(plan, port, pick, work)
    return Nginx(plan, port, pick, work) if kind == "nginx" else Host(plan, port, pick)
