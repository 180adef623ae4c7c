"""A batch of which every item is wrong in hundreds of fields: its answer against its question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.simulator import Simulator

ITEMS, FIELDS = 100, 330
MOST_BYTES, MOST_MEMORY = 5_000_000, 200
THREADS = 16
MOST_SECONDS = 2.0


def attack(context: Context) -> Iterator[Outcome]:
    outcome = Outcome("batch_errors", "")
    names = ["".join(letters) for letters in product(ascii_lowercase, repeat=2)][:FIELDS]
    item = "{" + ",".join(f'"{name}":0' for name in names) + "}"
    body = f'{{"itens":[{",".join([item] * ITEMS)}]}}'.encode()

    def ask(caller: Caller, _: int) -> Answer:
        return caller.send("POST", "/api/v1/skills/pix/lote", body)

    with Simulator() as providers, context.serving(providers) as target:
        key = target.new_key("free")
        once = target.caller(key).send("POST", "/api/v1/skills/pix/lote", body)
        with target.beside_others(outcome):
            tally = flood(target.port, key, ask, threads=THREADS, seconds=context.seconds)
        counted, memory = target.counted(key), round(target.peak_memory())
    outcome.did = f"batches of {len(body) // 1000} KB in which {ITEMS * FIELDS:,} fields are wrong"
    outcome.spent |= {
        "answers": str(tally),
        "one answer, bytes": len(once.body),
        "one answer, seconds": round(once.seconds, 2),
        "bytes out": tally.bytes_out,
        "calls counted": counted,
    }
    outcome.checks += [
        Check("bytes of an answer", tally.largest, most=MOST_BYTES),
        Check("peak memory of a worker, MB", memory, most=MOST_MEMORY),
        Check("seconds for one batch alone", round(once.seconds, 2), most=MOST_SECONDS),
    ]
    yield outcome
