"""CPU time and memory of a server, with all processes that it started, as Linux counts them."""
import os

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def tree(root):
    """The process `root` and everything below it."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            fields = stat(int(entry))
            if fields:
                children.setdefault(int(fields[1]), []).append(int(entry))
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children.get(pid, [])
    return found


def stat(pid):
    """The fields of /proc/PID/stat from the state on; the name before it may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def cpu_seconds(root):
    """User and system time so far."""
    ticks = 0
    for pid in tree(root):
        fields = stat(pid)
        if fields:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def memory(root):
    """Octets: the resident size of all processes, and their proportional share, None where the system won't say.

    The resident size counts what processes share once for each of them; the proportional one counts it once.
    """
    rss, pss = 0, 0
    for pid in tree(root):
        fields = stat(pid)
        if fields:
            rss += int(fields[21]) * PAGE
        try:
            with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
                pss += next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
        except FileNotFoundError:
            continue
        except (OSError, StopIteration):
            return rss, None
    return rss, pss
