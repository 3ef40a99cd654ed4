"""Opens many connections, asks once on each, and holds them open until its input ends.

Usage: idle.py PORT PATH COUNT

Prints a line of JSON when all are open, and another at the end, which says how many the server had closed by then.
Connections come from several addresses of 127.0.0.0/8, so that one address does not run out of ports.
"""
import json
import select
import socket
import sys

PER_ADDRESS = 2_000
AT_ONCE = 200  # connections under way at a time; the queue of some servers holds no more than 256
IP_BIND_ADDRESS_NO_PORT = 24  # Linux: choose the port when connecting


def whole(answer):
    """Whether `answer` holds a head and all the octets of the body that it states."""
    head, separator, body = bytes(answer).partition(b"\r\n\r\n")
    if not separator:
        return False
    if b" 200" not in head.split(b"\r\n")[0]:
        sys.exit(f"idle: {head.splitlines()[0]!r}")
    stated = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    if not stated:
        sys.exit("idle: an answer without Content-Length")
    return len(body) >= int(stated[0].split(b":")[1])


def open_some(start, count, port, request):
    """`count` connections on which one request was answered."""
    poll = select.epoll()
    waiting = {}
    for number in range(start, start + count):
        client = socket.socket()
        client.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        client.bind((f"127.0.0.{2 + number // PER_ADDRESS}", 0))
        client.settimeout(10)
        client.connect(("127.0.0.1", port))
        client.sendall(request)
        client.setblocking(False)
        poll.register(client, select.EPOLLIN)
        waiting[client.fileno()] = (client, bytearray())
    opened = []
    while waiting:
        events = poll.poll(20)
        if not events:
            sys.exit(f"idle: {len(waiting)} connections got no answer within 20 s")
        for descriptor, _ in events:
            client, answer = waiting[descriptor]
            received = client.recv(262_144)
            if not received:
                sys.exit("idle: the server closed a connection before it had answered")
            answer += received
            if whole(answer):
                poll.unregister(client)
                opened.append(client)
                del waiting[descriptor]
    poll.close()
    return opened


def closed(client):
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def main():
    port, path, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    clients = []
    while len(clients) < count:
        clients += open_some(len(clients), min(AT_ONCE, count - len(clients)), port, request)
    print(json.dumps({"open": len(clients)}), flush=True)
    sys.stdin.read()
    print(json.dumps({"closed": sum(closed(client) for client in clients)}), flush=True)


main()
