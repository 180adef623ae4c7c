"""The speed table: every contender in its own process, rounds interleaved, the best round of each counts."""

import json
import statistics
import subprocess
import sys
import tempfile

from lab.bench.brcode import environment
from lab.bench.figure import Figure
from lab.bench.timing import by_turns, processor_seconds, ratio
from tests.services.scenarios import table as markdown

ROUNDS = 5
DECODERS = ("brskills decode", "starkbank-brcode decode")
SAMPLES = environment.ROOT / "tests" / "data"
KEYS = {
    "52998224725": "529.982.247-25",
    "11222333000181": "11.222.333/0001-81",
    "fulano.de.tal@exemplo.com.br": "fulano.de.tal@exemplo.com.br",
    "+5511987654321": "(11)98765-4321",
    "123e4567-e12b-12d1-a456-426655440000": "123e4567-e12b-12d1-a456-426655440000",
}
"""Five key types: canonical, and as people type them."""
PLAIN = {"name": "Padaria Sao Joao", "city": "Sao Paulo"}
ACCENTED = {"name": "Padaria São João", "city": "São Paulo"}


def mix(*, masked=False, plain=False):
    """Return charges of each key type, with and without an amount, with and without accents."""
    plain_fields = {"txid": "PEDIDO42", "description": None}
    return [
        {"key": typed if masked else key, "amount": amount, **plain_fields, **payee}
        for key, typed in KEYS.items()
        for amount in ("49.90", None)
        for payee in (PLAIN, PLAIN if plain else ACCENTED)
    ]


ENCODERS = {
    "floor": ("floor", mix(plain=True)),
    "brskills": ("brskills", mix()),
    "brskills, masked keys": ("brskills", mix(masked=True)),
    "pix-utils": ("pix-utils", mix(plain=True)),  # it fails on accents
    "pybrcode": ("pybrcode", mix(masked=True)),  # it infers the type of a key from its mask
    "starkbank-brcode": ("starkbank-brcode", mix()),
}


def rounds_of(orders, **options):
    """Return the microseconds a call of each order, by round and input."""
    rounds = {name: [] for name in orders}
    for _ in range(ROUNDS):
        for name, (contender, inputs) in orders.items():
            rounds[name].append(environment.run(contender, inputs, measure=True, **options))
    return rounds


def figures_of(rounds, peer, prefix):
    """Return the mean microseconds over the inputs, of each its best round; ours with ratios to ``peer``."""
    means = {name: [statistics.mean(one) for one in found] for name, found in rounds.items()}
    return {
        f"{prefix}, {name.removesuffix(' decode')}": Figure(
            statistics.mean(map(min, zip(*found, strict=True))),
            "µs",
            ratio(means[name], means[peer]) if name.startswith("brskills") else None,
        )
        for name, found in rounds.items()
    }


def public_codes():
    """Return the valid public samples, without those whose CRC in lower case the peer refuses."""
    return [
        vector["payload"]
        for name in ("vectors", "edges")
        for vector in json.loads((SAMPLES / f"brcode_{name}.json").read_text())
        if vector["valid"] and vector["payload"][-4:] == vector["payload"][-4:].upper()
    ]


def import_figure():
    """Return the processor milliseconds that `import brcode` adds to a start of Python; best against best."""
    with tempfile.TemporaryDirectory() as cache:
        variables = {
            "PYTHONPATH": str(environment.ROOT / "layers" / "shared"),
            "PYTHONPYCACHEPREFIX": cache,
        }

        def start(code):
            return lambda: subprocess.run([sys.executable, "-c", code], env=variables, check=True)

        took = by_turns({code: start(code) for code in ("pass", "import brcode")}, 31, processor_seconds)
    bare, whole = took["pass"], took["import brcode"]
    return Figure(min(whole) - min(bare), "ms", ratio(whole, bare))


def measure():
    """Return the tables with calls a second and ratios, and the figures."""
    encoded = figures_of(rounds_of(ENCODERS), "floor", "encode")
    written = [answer["code"] for answer in environment.run("brskills", mix())]
    decoded = {}
    for label, codes in (("the codes of the mix", written), ("public samples", public_codes())):
        rounds = rounds_of({name: (name, codes) for name in DECODERS}, codes=True)
        decoded |= figures_of(rounds, DECODERS[1], label)
    imported = import_figure()
    version = ".".join(map(str, sys.version_info[:3]))
    said = f"`import brcode` adds {imported.value:.1f} ms of processor time. CPython {version}, one run."
    text = "\n\n".join([_table("Encode", encoded, 2), _table("Decode", decoded, 1), said])
    return text, {**encoded, **decoded, "import brcode": imported}


def _table(title, figures, digits):
    """Return rows; peers are compared with ours of the same codes."""
    rows = []
    for name, one in figures.items():
        label, _, contender = name.partition(", ")
        ours = "brskills, masked keys" if contender == "pybrcode" else "brskills"
        times = one.value / figures[f"{label}, {ours}"].value
        is_peer = not contender.startswith("brskills")
        said = f"{times:.{digits}f} × as fast" if is_peer else ""
        shown = contender if label == "encode" else f"{contender}, {label}"
        rows.append([shown, f"{one.value:.2f}", f"{1e6 / one.value:,.0f}", said])
    return markdown([title, "µs a call", "calls a second", "brskills is"], rows)
