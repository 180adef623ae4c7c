"""The speed table: every contender in its own process, rounds interleaved, the best round of each counts."""

import json
import resource
import statistics
import subprocess
import sys
import tempfile

from tests.bench.brcode import environment
from tests.bench.timing import by_turns
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


def measured(orders, **options):
    """Return the mean microseconds a call over an order's inputs, from the best round of each input."""
    rounds = {name: [] for name in orders}
    for _ in range(ROUNDS):
        for name, (contender, inputs) in orders.items():
            rounds[name].append(environment.run(contender, inputs, measure=True, **options))
    return {name: statistics.mean(map(min, zip(*found, strict=True))) for name, found in rounds.items()}


def public_codes():
    """Return the valid public samples, without those whose CRC in lower case the peer refuses."""
    return [
        vector["payload"]
        for name in ("vectors", "edges")
        for vector in json.loads((SAMPLES / f"brcode_{name}.json").read_text())
        if vector["valid"] and vector["payload"][-4:] == vector["payload"][-4:].upper()
    ]


def import_time():
    """Return the processor milliseconds that `import brcode` adds to a start of Python; best against best."""
    with tempfile.TemporaryDirectory() as cache:
        variables = {
            "PYTHONPATH": str(environment.ROOT / "layers" / "shared"),
            "PYTHONPYCACHEPREFIX": cache,
        }

        def start(code):
            return lambda: subprocess.run([sys.executable, "-c", code], env=variables, check=True)

        took = by_turns({code: start(code) for code in ("pass", "import brcode")}, 31, processor_time)
    return min(took["import brcode"]) - min(took["pass"])


def processor_time():
    """Return the seconds that finished children have computed: a busy machine adds little to it."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def table():
    """Return calls a second and ratios."""
    head = ["µs a call", "calls a second", "brskills is"]
    encoded = measured(ENCODERS)
    rows = []
    for name, micros in encoded.items():
        against = encoded["brskills, masked keys" if name == "pybrcode" else "brskills"]
        ratio = "" if name.startswith("brskills") else f"{micros / against:.2f} × as fast"
        rows.append([name, f"{micros:.2f}", f"{1e6 / micros:,.0f}", ratio])
    tables = [markdown(["Encode", *head], rows)]
    written = [answer["code"] for answer in environment.run("brskills", mix())]
    rows = []
    for label, codes in (("the codes of the mix", written), ("public samples", public_codes())):
        found = measured({name: (name, codes) for name in DECODERS}, codes=True)
        for name, micros in found.items():
            ratio = "" if name.startswith("brskills") else f"{micros / found[DECODERS[0]]:.1f} × as fast"
            title = f"{name.removesuffix(' decode')}, {label}"
            rows.append([title, f"{micros:.2f}", f"{1e6 / micros:,.0f}", ratio])
    tables.append(markdown(["Decode", *head], rows))
    version = ".".join(map(str, sys.version_info[:3]))
    tables.append(
        f"`import brcode` adds {import_time():.1f} ms of processor time. CPython {version}, one run."
    )
    return "\n\n".join(tables)
