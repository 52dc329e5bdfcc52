"""What the benchmarks have measured: their CSV, one line per row of a table and library."""
import csv
import math
import subprocess
from dataclasses import dataclass


@dataclass
class Result:
    ns: float        # per query
    wrong: int       # answers
    queries: int
    bracket: float   # the widest, in units of the size
    ours: bool       # apart
    value: bool      # answers the whole question, not only yes or no, or a bound


def read(lines):
    """{(workload, bodies): {library: Result}} of CSV lines, in their order."""
    rows = {}
    for line in csv.DictReader(lines):
        row = rows.setdefault((line["workload"], line["bodies"]), {})
        row[line["library"]] = Result(float(line["ns"]), int(line["wrong"]), int(line["queries"]),
                                      float(line["bracket"]), line["ours"] == "1", line["answers"] == "value")
    return rows


def read_file(path):
    """The same of a file; nothing if there is none."""
    try:
        with open(path, encoding="utf-8") as lines:
            return read(lines)
    except FileNotFoundError:
        return {}


def run(command, rows):
    """Runs a command of a shell that prints CSV; of rows that are there already the least time counts, the widest
    bracket, the most wrong answers. False if the command fails."""
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True)
    for key, row in read(done.stdout.splitlines()).items():
        for library, r in row.items():
            old = rows.setdefault(key, {}).setdefault(library, r)
            old.ns = min(old.ns, r.ns)
            old.bracket = max(old.bracket, r.bracket)
            old.wrong = max(old.wrong, r.wrong)
    return done.returncode == 0


def mean(ratios):
    """The geometric mean; 1 of nothing."""
    ratios = list(ratios)
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def fastest_right(row):
    """The fastest of the others that answers the whole question and was right in 99 of 100 answers of this row, but for
    closed forms that a user does not call; None if there is none."""
    others = [name for name, r in row.items()
              if not r.ours and r.value and 100 * r.wrong <= r.queries and not name.endswith(" bare")]
    return min(others, key=lambda name: row[name].ns, default=None)
