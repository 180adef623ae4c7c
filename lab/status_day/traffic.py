"""The calls of the day: counted, rejected, and not of skills."""

from concurrent.futures import ThreadPoolExecutor

from lab.status_day.caller import Caller
from tests.simulator.companies import numbers

CHARGE = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "Recife"}
PIX, CNPJ = "/api/v1/skills/pix", "/api/v1/skills/cnpj"
BANK, STAGED = "00000000000191", "SANDBOX5000158"
SOME = numbers("11222333", 6)
NOBODY, NOBODY_ELSE = numbers("99000000", 2)
_DEMO = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
_STRANGER = {"X-API-Key": "brsk_unknown"}


def look_up(caller: Caller, *companies: str, status: int) -> None:
    """Companies at their sources, and not of what is stored."""
    for company in companies:
        caller.ask("GET", f"{CNPJ}/{company}?idade_maxima=0", status)


def all_sorts(caller: Caller) -> None:
    """Make calls of every kind."""
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: caller.ask("POST", PIX, 200, json=CHARGE), range(30)))
    code = caller.ask("POST", PIX, 200, json=CHARGE)["brcode"]
    caller.ask("POST", f"{PIX}/decode", 200, json={"brcode": code})
    caller.ask("POST", f"{PIX}/lote", 200, json={"itens": [CHARGE, {}, CHARGE]})
    caller.ask("POST", f"{PIX}/conferir", 200, json={"chave": BANK, "nome_recebedor": "Banco do Brasil"})
    look_up(caller, *SOME, status=200)
    caller.ask("GET", f"{CNPJ}/SANDBOX1000170", 200)
    caller.ask("GET", f"{CNPJ}/{STAGED}", 503)
    caller.ask("POST", f"{CNPJ}/lote", 200, json={"cnpjs": [*SOME, NOBODY, "SANDBOX1000170", STAGED, "x"]})
    caller.use("create_pix_code", 200, **CHARGE)
    caller.use("look_up_company", 200, cnpj=BANK)
    caller.use("look_up_company", 503, cnpj=STAGED)
    _not_due(caller)


def without_store(caller: Caller) -> None:
    """Make calls while no key can be checked: each is 503."""
    for _ in range(3):
        caller.ask("POST", PIX, 503, json=CHARGE)
    caller.ask("GET", f"{CNPJ}/{BANK}?idade_maxima=0", 503)
    caller.ask("POST", f"{PIX}/lote", 503, json={"itens": [CHARGE, CHARGE]})
    caller.use("create_pix_code", 503, **CHARGE)
    caller.ask("POST", PIX, 503, json={})
    caller.ask("GET", f"{CNPJ}/SANDBOX1000170", 503)


def _not_due(caller: Caller) -> None:
    """What is refused, and what is no skill."""
    caller.ask("POST", PIX, 422, json={})
    caller.ask("GET", f"{CNPJ}/123", 422)
    caller.ask("POST", PIX, 401, json=CHARGE, headers={})
    caller.ask("POST", PIX, 401, json=CHARGE, headers=_STRANGER)
    for status in (200, 200, 200, 429):
        caller.ask("POST", PIX, status, json=CHARGE, headers=_DEMO, counts=False)  # shown apart
    caller.use("create_pix_code", 422)
    caller.ask("GET", "/api/v1/usage", 200, counts=False)
    caller.use("get_usage", 200, counts=False)
