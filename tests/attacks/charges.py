"""Attacks by charges whose PSPs are silent."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

from tests.attacks.caller import Answer, Caller, flood
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context
from tests.services.psp import Authority, Psp, cob, pem
from tests.services.silent import Silent
from tests.services.site import answer_of, site
from tests.simulator import Simulator

CHECK, HOST = "/api/v1/skills/pix/conferir", "pix.psp.example"
ACCOUNTS, HOSTS = 5, 200


def silent_psps(context: Context) -> Iterator[Outcome]:
    """Free accounts follow locations of silent PSPs, an enterprise account those of one that answers."""
    did = (
        f"{ACCOUNTS} free accounts, eight threads each, follow {HOSTS} silent PSPs, an enterprise account one"
    )
    outcome, folder, root = Outcome("silent_psps", did), context.new_folder(), Authority.root()
    psp, roots = Psp.at(HOST, root.intermediate()), folder / "roots.pem"
    roots.write_bytes(pem(root.certificate))
    reasons: Counter[str] = Counter()

    def ask(caller: Caller, number: int) -> Answer:
        return caller.post(CHECK, {"url": f"psp{number % HOSTS}.example/qr", "seguir": True})

    def ask_bank(caller: Caller, _: int) -> Answer:
        answer = caller.post(CHECK, {"url": f"{HOST}/qr", "seguir": True})
        reasons.update((answer.content.get("assinatura") or {}).get("motivos") or [f"{answer.status}"])
        return answer

    with ExitStack() as stack:
        silent = stack.enter_context(closing(Silent()))
        bank = stack.enter_context(site(folder, HOST, chain=psp.chain_file(folder), roots=roots))
        signed, keys = psp.sign(cob()), psp.keys()
        bank.answers |= {"/qr": lambda: answer_of(signed), "/jwks.json": lambda: answer_of(keys)}
        places = [f"psp{n}.example:443:127.0.0.1:{silent.port}" for n in range(HOSTS)]
        places.append(f"{HOST}:443:127.0.0.1:{bank.port}")
        settings = {"PIX_CONNECT_TO": ",".join(places), "PIX_CA_FILE": str(roots)}
        providers = stack.enter_context(Simulator())
        target = stack.enter_context(context.serving(providers, **settings))
        enterprise = target.new_key("enterprise")
        attackers = [target.new_key("free") for _ in range(ACCOUNTS)]
        flood(target.port, enterprise, ask_bank, threads=2, most=20)  # loads what following needs
        reasons.clear()
        with target.beside_others(outcome), ThreadPoolExecutor(ACCOUNTS) as threads:
            for key in attackers:
                threads.submit(flood, target.port, key, ask, threads=8, seconds=context.seconds)
            followed = flood(target.port, enterprise, ask_bank, threads=4, seconds=context.seconds)
    refused = reasons["consultas_demais"] + reasons["429"]
    outcome.spent |= {"calls of the enterprise account": followed.sent, "silent at once": silent.most}
    outcome.spent |= {"its reasons": str(dict(reasons))}
    outcome.checks.append(Check("share of its calls refused", round(refused / followed.sent, 3), most=0.01))
    yield outcome
