"""Medians, ratios and aligned tables of what scripts/bench-proxy measured."""
import os
import statistics
import sys

COLOURED = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
BOLD, DIM, GREEN, RED, PLAIN = "1", "2", "32", "31", ""


def median(rounds, key):
    """The median of what the rounds have under `key`, None where one of them has nothing."""
    values = [one.get(key) for one in rounds]
    return None if not values or None in values else statistics.median(values)


def spread(rounds, key):
    """How far apart the rounds are: the widest difference, as a part of the median."""
    values = [one.get(key) for one in rounds]
    return None if None in values or len(values) < 2 else (max(values) - min(values)) / statistics.median(values)


def ratio(ours, theirs, key):
    """The median of the ratios of each round, in which both met about the same noise."""
    if len(ours) != len(theirs):  # a run failed, so it is not known any more which belong together
        ours, theirs = ([{key: median(rounds, key)}] for rounds in (ours, theirs))
    pairs = [(one.get(key), other.get(key)) for one, other in zip(ours, theirs)]
    if not pairs or any(not a or not b for a, b in pairs):
        return None
    return statistics.median(a / b for a, b in pairs)


def size(octets):
    return f"{octets // 1_000_000} MB" if octets >= 1_000_000 else f"{octets // 1_000} kB"


def count(value):
    return "-" if value is None else f"{value:,.0f}".replace(",", " ")


def duration(value):
    """A number of microseconds in the unit that suits it."""
    if value is None:
        return "-"
    return f"{value / 1e6:.2f} s" if value >= 1e6 else f"{value / 1e3:.2f} ms" if value >= 1e3 else f"{value:.0f} µs"


def mebibytes(value):
    return "-" if value is None else f"{value / 2**20:.1f} MiB"


def percent(value):
    return "-" if value is None else f"{value * 100:.0f} %"


def times(value):
    return "-" if value is None else f"{value:.2f}"


class Cell(str):
    """A text with a colour, which a terminal shows."""
    colour = PLAIN

    def __new__(cls, text, colour=PLAIN):
        cell = super().__new__(cls, text)
        cell.colour = colour
        return cell


def better(value, more_is_better):
    """A ratio, green where Larder is ahead and red where it is behind; within 5 % it is neither."""
    if value is None:
        return Cell("-")
    ahead = value > 1.05 if more_is_better else value < 0.95
    behind = value < 0.95 if more_is_better else value > 1.05
    return Cell(times(value), GREEN if ahead else RED if behind else PLAIN)


def paint(text, colour):
    return f"\033[{colour}m{text}\033[0m" if COLOURED and colour else text


def table(title, heads, rows, left=2):
    """Prints rows under their heads: the first `left` columns to the left, the rest, which are figures, to the right.

    A row that is one cell longer than the heads has a remark as its last.
    """
    print(f"\n{paint(title, BOLD)}")
    widths = [max(len(row[column]) for row in [heads, *rows] if column < len(row)) for column in range(len(heads))]

    def line(cells, colour=PLAIN):
        parts = []
        for column, (cell, width) in enumerate(zip(cells, widths)):
            padded = cell.ljust(width) if column < left else cell.rjust(width)
            parts.append(paint(padded, getattr(cell, "colour", PLAIN) or colour))
        parts += [paint(remark, RED) for remark in cells[len(heads):] if remark]
        return "  ".join(parts).rstrip()

    print(line(heads, DIM))
    for row in rows:
        print(line(row))


def hit_share(rounds):
    """The part that did not reach the origin, rounded down, so that 100 % means all."""
    asked, requests = (sum(one[key] for one in rounds) for key in ("reached_origin", "requests"))
    return "100 %" if asked == 0 else f"{max(0, (requests - asked) * 10_000 // requests) / 100:.2f} %"


def hit_remark(rounds):
    """What makes the figures of a row other than those of hits, or an empty text."""
    asked = sum(one["reached_origin"] for one in rounds)
    errors = [one["errors"] for one in rounds if one["errors"]]
    remarks = []
    if asked:
        remarks.append(f"NOT ALL HITS: {asked} of {sum(one['requests'] for one in rounds)} reached the origin")
    if not all(one["says_hit"] for one in rounds):
        remarks.append("NOT A HIT by its own header")
    if errors:
        remarks.append(f"ERRORS: {errors[0]}")
    return "; ".join(remarks)


def print_hits(hits, names, sizes):
    rows = []
    for octets in sizes:
        for name in names:
            rounds = hits.get(name, {}).get(octets, [])
            if not rounds:
                continue
            rows.append([
                size(octets), name, count(median(rounds, "rate")), count(median(rounds, "per_cpu_second")),
                percent(spread(rounds, "per_cpu_second")), duration(median(rounds, "client_cpu")),
                duration(median(rounds, "p50")), duration(median(rounds, "p99")), mebibytes(median(rounds, "pss")),
                mebibytes(median(rounds, "rss")), hit_share(rounds), hit_remark(rounds)])
    if rows:
        table("Hits at full speed (client CPU: what wrk spent on a request; memory: under load)",
              ["body", "server", "req/s", "req/CPU-s", "spread", "client CPU", "p50", "p99", "PSS", "RSS", "hits"],
              rows)


def print_paced(paced, names, sizes):
    rows = []
    for octets in sizes:
        for name in names:
            rounds = paced.get(name, {}).get(octets, [])
            if not rounds:
                continue
            remarks = []
            unanswered, requests = (sum(one[key] for one in rounds) for key in ("unanswered", "requests"))
            if unanswered:
                remarks.append(f"NOT KEPT UP: {unanswered} of {requests} open a second after the end")
            if any(one["reached_origin"] for one in rounds):
                remarks.append("NOT ALL HITS")
            if median(rounds, "late") > median(rounds, "p99") / 4:
                remarks.append("LOAD LATE: the machine is too busy for these times")
            rows.append([size(octets), name, count(median(rounds, "asked_rate")), count(median(rounds, "rate")),
                         count(median(rounds, "per_cpu_second")),
                         *(duration(median(rounds, key)) for key in ("p50", "p99", "p999", "max", "late")),
                         "; ".join(remarks)])
    if rows:
        table("At a constant rate, 70 % of Larder's peak above",
              ["body", "server", "asked/s", "answered/s", "req/CPU-s", "p50", "p99", "p99.9", "max", "load late"], rows)


def print_idle(idle, names, connections):
    rows = []
    for name in names:
        rounds = idle.get(name, [])
        if rounds:
            total, before = median(rounds, "pss"), median(rounds, "pss_before")
            each = None if total is None else (total - before) / connections / 1024
            rows.append([name, mebibytes(before), mebibytes(total), mebibytes(median(rounds, "rss")),
                         "-" if each is None else f"{each:.1f} KiB"])
    if rows:
        table(f"Memory with {count(connections)} idle connections, one request answered on each",
              ["server", "PSS before", "PSS", "RSS", "a connection"], rows, left=1)


def ratios(results, names, sizes):
    """Larder's figures divided by each peer's, by the measurement, the size and the peer."""
    found = []
    for octets in sizes:
        for name in names:
            ours, theirs = (results["hits"].get(one, {}).get(octets, []) for one in ("larder", name))
            if name != "larder" and ours and theirs:
                found.append({"what": "full speed", "size": octets, "peer": name, **{
                    key: ratio(ours, theirs, key) for key in ("rate", "per_cpu_second", "p50", "p99", "pss", "rss")}})
    for octets in sizes:
        for name in names:
            ours, theirs = (results["paced"].get(one, {}).get(octets, []) for one in ("larder", name))
            if name != "larder" and ours and theirs:
                found.append({"what": "constant rate", "size": octets, "peer": name, **{
                    key: ratio(ours, theirs, key) for key in ("per_cpu_second", "p50", "p99")}})
    for name in names:
        ours, theirs = (results["idle"].get(one, []) for one in ("larder", name))
        if name != "larder" and ours and theirs:
            found.append({"what": "idle connections", "peer": name, **{
                key: ratio(ours, theirs, key) for key in ("pss", "rss")}})
    return found


def print_ratios(found, rounds):
    rows = [[one["what"], size(one["size"]) if "size" in one else "", one["peer"],
             *(better(one.get(key), key in ("rate", "per_cpu_second"))
               for key in ("rate", "per_cpu_second", "p50", "p99", "pss", "rss"))] for one in found]
    if rows:
        what = "one round" if rounds == 1 else f"median of the ratios of {rounds} rounds"
        table(f"Larder divided by its peer ({what}; the first two the higher the better, the rest the lower)",
              ["what", "body", "peer", "req/s", "req/CPU-s", "p50", "p99", "PSS", "RSS"], rows, left=3)
