"""The origin that all servers of the benchmark stand in front of; prints its port and counts what reaches it.

GET /NAME/SIZE answers SIZE octets that may be kept for a day; GET /requests says in X-Requests how many of those were
asked for.
"""
import http.server
import threading

asked = 0
lock = threading.Lock()


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        global asked
        if self.path == "/requests":
            self.answer(b"", {"Cache-Control": "no-store", "X-Requests": str(asked)})
            return
        size = self.path.rsplit("/", 1)[-1]
        if not size.isdecimal():
            self.send_error(404)
            return
        with lock:
            asked += 1
        self.answer(b"x" * int(size), {"Cache-Control": "max-age=86400", "Content-Type": "text/javascript"})

    def answer(self, body, fields):
        self.send_response(200)
        for name, value in {"Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *rest):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
print(server.server_address[1], flush=True)
server.serve_forever()
