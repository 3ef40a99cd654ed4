"""What is measured of a running server: hits at full speed, times at a constant rate, memory of idle connections."""
import json
import os
import re
import resource
import subprocess
import sys
import time

import processes
from servers import HERE, get

UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6, "m": 60e6}


class Failed(Exception):
    """A measurement that can't be used; the text says why."""


def microseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * UNITS[unit]


def run(command, **rest):
    done = subprocess.run(command, capture_output=True, text=True, **rest)
    if done.returncode != 0:
        raise Failed((done.stderr or done.stdout).strip().splitlines()[-1][:200])
    return done.stdout


def origin_requests(port):
    """How many requests for something to store have reached the origin so far."""
    return int(get(port, "/requests")[1]["x-requests"])


def prime(server, path):
    """Stores the answer and asks until it is a hit; what makes it one by its own word, or None."""
    field, mark = server.says_hit
    for _ in range(20):
        status, fields, size = get(server.port, path)
        if status != 200 or size != int(path.rsplit("/", 1)[-1]):
            raise Failed(f"{path} got {status} with {size} octets")
        said = fields.get(field, "")
        if (mark.search(said) if hasattr(mark, "search") else mark in said):
            return f"{field}: {said}"
        time.sleep(0.05)
    return None


def hits(server, size, seconds, connections):
    """Full speed, one address again and again."""
    path = f"/hits/{size}"
    word = prime(server, path)
    asked = origin_requests(server.origin)
    cpu, client = processes.cpu_seconds(server.process.pid), ended_children()
    with subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", f"http://127.0.0.1:{server.port}{path}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as load:
        try:
            load.wait(seconds * 0.8)
        except subprocess.TimeoutExpired:
            rss, pss = processes.memory(server.process.pid)  # while all connections are busy
        said, _ = load.communicate(timeout=seconds + 60)
    cpu, client = processes.cpu_seconds(server.process.pid) - cpu, ended_children() - client
    if load.returncode != 0:
        raise Failed((said.strip().splitlines() or ["wrk failed"])[-1][:200])
    asked = origin_requests(server.origin) - asked
    requests = int(re.search(r"(\d+) requests in", said)[1])
    errors = re.search(r"Socket errors: (.*)", said)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    if requests == 0:
        raise Failed("no request was answered")
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]),
        "per_cpu_second": requests / cpu if cpu else None,
        "p50": microseconds(re.search(r"(?m)^ +50% +(\S+)", said)[1]),
        "p99": microseconds(re.search(r"(?m)^ +99% +(\S+)", said)[1]),
        "rss": rss, "pss": pss, "requests": requests, "cpu_seconds": round(cpu, 2),
        "client_cpu": client / requests * 1e6,
        "reached_origin": asked, "says_hit": word,
        "errors": "; ".join(filter(None, [errors and errors[1], refused and f"{refused[1]} not 2xx"])) or None,
    }


def ended_children():
    """CPU seconds of children that have ended; of those, only a load generator ends during a measurement."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build_load(work):
    """Compiles load.c; the C compiler is the one that Swift needs for linking as well."""
    program = os.path.join(work, "load")
    run(["cc", "-O2", "-o", program, os.path.join(HERE, "load.c")])
    return program


def paced(program, server, size, rate, seconds, connections):
    """Times to the answer at `rate` requests a second, counted from when each was due."""
    path = f"/hits/{size}"
    prime(server, path)
    asked = origin_requests(server.origin)
    cpu = processes.cpu_seconds(server.process.pid)
    found = json.loads(run([program, str(server.port), path, str(rate), str(seconds), str(connections)],
                           timeout=seconds + 60))
    cpu = processes.cpu_seconds(server.process.pid) - cpu
    found["per_cpu_second"] = (found["requests"] - found["unanswered"]) / cpu if cpu else None
    found["reached_origin"] = origin_requests(server.origin) - asked
    return found


def raise_limit(needed):
    """Lets this process and its children open `needed` files; what stands against it, or None."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), max(hard, needed)))
    except (ValueError, OSError):
        return f"it needs {needed} open files, and `ulimit -Hn` is {hard}"
    return None


def idle(server, count):
    """Memory of a server that was just started: with one answer in store, and with `count` idle connections."""
    path = "/idle/10000"
    prime(server, path)
    time.sleep(0.5)
    rss_before, pss_before = processes.memory(server.process.pid)
    with subprocess.Popen([sys.executable, os.path.join(HERE, "idle.py"), str(server.port), path, str(count)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
        if not client.stdout.readline():
            raise Failed((client.stderr.read().strip().splitlines() or ["it ended"])[-1][:200])
        time.sleep(2)  # for what a server puts away once a connection is idle
        rss, pss = processes.memory(server.process.pid)
        client.stdin.close()
        gone = json.loads(client.stdout.readline())["closed"]
        client.stderr.read()
    if gone:
        raise Failed(f"the server closed {gone} of {count} idle connections")
    return {"rss_before": rss_before, "pss_before": pss_before, "rss": rss, "pss": pss}
