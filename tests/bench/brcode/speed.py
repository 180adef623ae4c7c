"""The speed table: every contender in its own process, rounds interleaved, the best round of each counts."""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.brcode import environment
from tests.bench.brcode.charges import MIX, TXID

ROUNDS = 5
RUNNERS = {
    "floor": environment.ours,
    "ours": environment.ours,
    "ours, masked keys": environment.ours,
    "pix-utils": environment.theirs,
    "pybrcode": environment.theirs,
    "starkbank-brcode": environment.theirs,
}
DECODERS = {"ours decode": environment.ours, "starkbank-brcode decode": environment.theirs}
SAMPLES = environment.ROOT / "tests" / "data"


def measured(names, codes):
    """Mean microseconds a call over the cases, from the best round of each case."""
    rounds = {name: [] for name in names}
    for _ in range(ROUNDS):
        for name, runner in names.items():
            rounds[name].append(
                json.loads(runner("measure.py", json.dumps({"contender": name, "codes": codes})))
            )
    return {name: statistics.mean(map(min, zip(*found, strict=True))) for name, found in rounds.items()}


def written_codes():
    """The codes of the mix, for the decoders."""
    from brcode import encode

    return [
        encode(key=c.key, amount=c.amount, merchant_name=c.name, merchant_city=c.city, txid=TXID).payload
        for c in MIX
    ]


def public_codes():
    """The valid ones among the public samples, static and dynamic, but for the CRC that the peer refuses."""
    return [
        vector["payload"]
        for name in ("vectors", "edges")
        for vector in json.loads((SAMPLES / f"brcode_{name}.json").read_text())
        if vector["valid"] and vector["payload"][-4:] == vector["payload"][-4:].upper()
    ]


def import_time():
    """Processor milliseconds that `import brcode` adds to Python's start, compiled; best against best."""
    source = str(environment.ROOT / "layers" / "shared")
    with tempfile.TemporaryDirectory() as cache:
        variables = {"PYTHONPATH": source, "PYTHONPYCACHEPREFIX": cache}
        took = {"pass": [], "import brcode": []}
        for _ in range(31):
            for code, times in took.items():
                before = processor_time()
                subprocess.run([sys.executable, "-c", code], env=variables, check=True)
                times.append((processor_time() - before) * 1e3)
    return min(took["import brcode"]) - min(took["pass"])


def processor_time():
    """Seconds that finished children have computed: a busy machine adds little to it."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def table():
    """Markdown: calls a second and ratios."""
    encode = measured(RUNNERS, [])
    static = measured(DECODERS, written_codes())
    public = measured(DECODERS, public_codes())
    lines = ["| Encode | µs a call | calls a second | brskills is |", "|---|---:|---:|---|"]
    for name, micros in encode.items():
        against = encode["ours, masked keys" if name == "pybrcode" else "ours"]
        ratio = "" if name.startswith("ours") else f"{micros / against:.2f} × as fast"
        lines.append(f"| {name.replace('ours', 'brskills')} | {micros:.2f} | {1e6 / micros:,.0f} | {ratio} |")
    lines += ["", "| Decode | µs a call | calls a second | brskills is |", "|---|---:|---:|---|"]
    for label, found in (("the codes of the mix", static), ("public samples", public)):
        for name, micros in found.items():
            ratio = "" if name.startswith("ours") else f"{micros / found['ours decode']:.1f} × as fast"
            title = f"{name.replace('ours', 'brskills').removesuffix(' decode')}, {label}"
            lines.append(f"| {title} | {micros:.2f} | {1e6 / micros:,.0f} | {ratio} |")
    version = ".".join(map(str, sys.version_info[:3]))
    lines += [
        "",
        f"`import brcode` adds {import_time():.1f} ms of processor time. CPython {version}, one run.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(environment.ROOT) / "layers" / "shared"))
    environment.prepare()
    print(table())
