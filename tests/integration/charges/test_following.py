"""Locations followed over TLS: what is valid, what is refused, and what is only remarked."""

import base64
import gzip
import hashlib
import hmac
import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from brskills_server.charges import follow as following
from brskills_server.charges.follow import MAX_BYTES, Follower
from brskills_server.charges.verification import INVALID, UNVERIFIED, VALID
from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from tests.integration.charges.conftest import HOST, LOCATION, PATH
from tests.services.psp import NOW, Authority, Psp, base64url, cob, cobv, der, pem, rec
from tests.services.site import answer_of


def test_a_charge_of_a_psp_is_valid(serve, follow, psp, server):
    serve(psp.sign(cob()))
    found = follow()
    assert (found.state, found.reasons) == (
        VALID,
        ("raiz_enviada",) if len(psp.above) > 1 else (),
    )
    holder = found.as_answer()["certificado"]
    assert (holder["titular"], holder["organizacao"], holder["cnpj"], holder["nivel"]) == (
        HOST, "BANCO DO BRASIL SA", "00000000000191", "estendida",
    )  # fmt: skip
    assert found.charge.as_answer() == {
        "tipo": "imediata", "status": "ATIVA", "txid": "fc9a4366ff3d4964b5dbc6c91a8722d3", "valor": "49.90",
        "modificavel": False, "retirada": None, "vencimento": None,
        "expira_em": (NOW + timedelta(hours=1)).isoformat().replace("+00:00", "Z"),
        "recebedor": None, "recorrencia": None,
    }  # fmt: skip
    assert found.charge.key == "33000167000101"
    assert [head.split(" ")[1] for _, head in server.asked] == [PATH, "/jwks.json"]
    assert all(name == HOST for name, _ in server.asked)


def test_a_charge_with_a_due_date_has_its_final_amount_and_receiver(serve, follow, psp):
    serve(psp.sign(cobv("2026-11-28")))
    charge = follow().charge
    assert (charge.kind, charge.amount, charge.due) == ("vencimento", "102.30", "2026-11-28")
    assert charge.receiver.cnpj == "33000167000101"
    assert charge.receiver.trade_name == "PETROBRAS"
    # Saturday becomes Monday; five days later is Saturday again: paid until the end of Monday, the 7th.
    assert charge.expires_at.isoformat() == "2026-12-08T03:00:00+00:00"


def test_a_recurrence_has_its_latest_status(serve, follow, psp):
    serve(psp.sign(rec()))
    charge = follow().charge
    assert (charge.kind, charge.status, charge.amount) == ("recorrencia", "APROVADA", "35.00")
    assert charge.recurrence == {
        "id": "RR1234567820240115abcdefghijk", "periodicidade": "MENSAL", "inicio": "2026-12-01", "fim": None,
        "valor": "35.00", "valor_minimo": None, "retentativa": "NAO_PERMITE", "objeto": "Clube do livro",
        "recebedor": {"cnpj": "33000167000101", "nome": charge.receiver.name, "nome_fantasia": None},
    }  # fmt: skip


def test_nothing_of_the_debtor_is_read(serve, follow, psp):
    for payload in (cob(), cobv("2026-11-28"), rec()):
        serve(psp.sign(payload))
        assert "Secret" not in str(follow())
        assert "52998224725" not in str(follow())


@pytest.mark.parametrize(
    ("make", "algorithm"),
    [
        *(
            (lambda: rsa.generate_private_key(65537, 2048), each)
            for each in ("RS256", "RS512", "PS256", "PS512")
        ),
        (lambda: ec.generate_private_key(ec.SECP256R1()), "ES256"),
        (lambda: ec.generate_private_key(ec.SECP384R1()), "ES384"),
        (lambda: ec.generate_private_key(ec.SECP521R1()), "ES512"),
    ],
)
def test_every_allowed_algorithm_is_verified(serve, follow, issuer, make, algorithm):
    other = Psp.at(HOST, issuer, key=make())
    serve(other.sign(cob(), alg=algorithm), keys=other.keys())
    assert follow().state == VALID


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"jku": "https://evil.example/jwks.json"}, "jku_de_outro_endereco"),
        ({"jku": f"https://{HOST}.evil.example/jwks.json"}, "jku_de_outro_endereco"),
        ({"jku": f"https://{HOST}@evil.example/jwks.json"}, "jku_de_outro_endereco"),
        ({"jku": f"https://{HOST}:8443/jwks.json"}, "jku_de_outro_endereco"),
        ({"jku": f"http://{HOST}/jwks.json"}, "jku_de_outro_endereco"),
        ({"jku": f"https://{HOST}"}, "jku_de_outro_endereco"),
        ({"kid": "other"}, "chave_nao_encontrada"),
        ({"x5t": base64url(b"\x00" * 20)}, "impressao_digital_diverge"),
        ({"x5t#S256": base64url(b"\x00" * 32)}, "impressao_digital_diverge"),
    ],
)
def test_a_header_that_leads_elsewhere_is_invalid(serve, follow, psp, header, reason):
    serve(psp.sign(cob(), **header))
    found = follow()
    assert (found.state, found.reasons, found.charge) == (INVALID, (reason,), None)


def forged(psp: Psp, alg: str, signature: bytes = b"x", **others: object) -> bytes:
    header = {"alg": alg, "kid": psp.kid, "jku": f"https://{HOST}/jwks.json", **others}
    parts = [
        base64url(json.dumps(header).encode()),
        base64url(json.dumps(cob()).encode()),
        base64url(signature),
    ]
    return ".".join(parts).encode()


@pytest.mark.parametrize("alg", ["none", "None", "HS256", "EdDSA", "RSA1_5", "", "es256"])
@pytest.mark.parametrize("signature", [b"x", b""])
def test_another_algorithm_is_invalid(serve, follow, psp, alg, signature):
    serve(forged(psp, alg, signature))
    assert follow()[:2] == (INVALID, ("algoritmo_nao_permitido",))


def test_an_empty_signature_is_invalid_and_no_keys_are_asked_for(serve, follow, psp, server):
    serve(forged(psp, "ES256", b""))
    assert (follow()[:2], len(server.asked)) == ((INVALID, ("assinatura_errada",)), 1)


@pytest.mark.parametrize(
    "jku", [f"//{HOST}/jwks.json", "/jwks.json", "jwks.json", f"ftp://{HOST}/jwks.json", 1, None]
)
def test_an_address_of_keys_in_another_form_is_not_followed(serve, follow, psp, server, jku):
    serve(forged(psp, "ES256", jku=jku))
    assert follow().state != VALID
    assert len(server.asked) == 1


@pytest.mark.parametrize(("start", "remarks"), [("", ("jku_sem_esquema",)), ("HTTPS://", ())])
def test_an_address_of_keys_without_scheme_is_one_of_https(serve, follow, psp, server, start, remarks):
    serve(psp.sign(cob(), jku=f"{start}{HOST}/jwks.json"))
    found = follow()
    assert (found.state, found.reasons, len(server.asked)) == (VALID, remarks, 2), start


def test_hmac_with_the_public_key_is_invalid(serve, follow, psp):
    signed = forged(psp, "HS256").rpartition(b".")[0]
    signature = hmac.digest(pem(psp.certificate), signed, "sha256")
    serve(signed + b"." + base64url(signature).encode())
    assert follow()[:2] == (INVALID, ("algoritmo_nao_permitido",))


def test_an_embedded_key_is_not_used(serve, follow, psp, issuer):
    thief = Psp.at(HOST, Authority.root("Raiz do ladrão"))
    serve(thief.sign(cob(), jwk=thief.jwk, x5c=thief.jwk["x5c"], x5t=None))
    assert follow()[:2] == (INVALID, ("assinatura_errada",))


def test_critical_extensions_are_invalid(serve, follow, psp):
    serve(forged(psp, "ES256", crit=["exp"], exp=1))
    assert follow()[:2] == (INVALID, ("extensao_nao_permitida",))
    serve(forged(psp, "ES256", b64=False))
    assert follow()[:2] == (INVALID, ("extensao_nao_permitida",))


def test_a_replaced_payload_or_signature_is_invalid(serve, follow, psp):
    head, _, signature = psp.sign(cob()).split(b".")
    other = psp.sign(cob(valor={"original": "9999.00"})).split(b".")[1]
    for body in (b".".join([head, other, signature]), b".".join([head, other, b"AAAA"])):
        serve(body)
        found = follow()
        assert (found.state, found.reasons, found.charge) == (
            INVALID,
            ("assinatura_errada",),
            None,
        )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda issuer: Psp.at(HOST, Authority.root("Raiz alheia")), "cadeia_nao_confiavel"),
        (lambda issuer: Psp.at(HOST, Authority.root("Raiz alheia").intermediate()), "cadeia_nao_confiavel"),
        (lambda issuer: Psp.at("other.example", issuer), "certificado_de_outro_endereco"),
        (lambda issuer: Psp.at(HOST, issuer, days=(-30, -1)), "certificado_fora_da_validade"),
        (lambda issuer: Psp.at(HOST, issuer, days=(1, 30)), "certificado_fora_da_validade"),
        (
            lambda issuer: Psp.at(HOST, issuer, key=rsa.generate_private_key(65537, 1024)),  # noqa: S505, refused
            "chave_fraca",
        ),
    ],
)
def test_a_certificate_that_proves_nothing_is_invalid(serve, follow, psp, issuer, make, reason):
    other = make(issuer)
    other.host = HOST
    serve(other.sign(cob()), keys=other.keys())
    found = follow()
    assert (found.state, found.reasons, found.charge) == (INVALID, (reason,), None)
    assert found.holder is None


def test_a_chain_of_others_is_invalid_where_none_would_be_remarked(serve, follow, psp):
    alien = Authority.root("Raiz alheia").intermediate().certificate
    psp.jwk_changes["x5c"] = [psp.jwk["x5c"][0], base64.b64encode(der(alien)).decode()]
    serve(psp.sign(cob()))
    assert follow()[:2] == (INVALID, ("cadeia_nao_confiavel",))


def test_a_jwk_of_another_key_than_its_certificate_is_invalid(serve, follow, psp, issuer):
    thief = Psp.at(HOST, issuer)
    psp.jwk_changes.update({name: thief.jwk[name] for name in ("x", "y")})
    serve(thief.sign(cob(), x5t=psp.jwk["x5t"]))
    assert follow()[:2] == (INVALID, ("chave_de_outro_certificado",))


def remarked(psp: Psp, **changes: object) -> None:
    psp.jwk_changes.update(changes)


SHA1 = hashlib.sha1


@pytest.mark.parametrize(
    ("deviate", "remark"),
    [
        (
            lambda psp: {"x5t": base64.b64encode(SHA1(der(psp.certificate)).digest()).decode()},
            "x5t_em_base64",
        ),
        (
            lambda psp: {"x5t": base64url(SHA1(der(psp.certificate)).hexdigest().encode())},
            "x5t_em_hexadecimal",
        ),
        (
            lambda psp: {"x5c": [part[:64] + "\r\n" + part[64:] for part in psp.jwk["x5c"]]},
            "quebras_de_linha_em_x5c",
        ),
        (lambda psp: {"x5c": psp.jwk["x5c"][:1]}, "intermediarios_ausentes"),
        (lambda psp: {"alg": "RSA"}, None),
        (lambda psp: {"key_ops": ["sign", "verify"], "use": "sig", "unknown": 1}, None),
        (lambda psp: {"kty": None, "x": None, "y": None, "crv": None, "x5t": None}, None),
    ],
)
def test_a_deviation_that_loses_nothing_is_remarked(serve, follow, psp, deviate, remark):
    psp.jwk_changes.update(deviate(psp))
    serve(psp.sign(cob(), x5t=None))
    found = follow()
    assert (found.state, found.reasons) == (VALID, (remark,) if remark else ())


def test_a_root_that_is_sent_is_left_out(serve, follow, psp, root):
    psp.jwk_changes["x5c"] = [*psp.jwk["x5c"], base64.b64encode(der(root.certificate)).decode()]
    serve(psp.sign(cob()))
    assert follow()[:2] == (VALID, ("raiz_enviada",))


def test_a_thumbprint_in_the_header_may_deviate_too(serve, follow, psp):
    digest = hashlib.sha256(der(psp.certificate)).digest()
    serve(psp.sign(cob(), x5t=None, **{"x5t#S256": base64.b64encode(digest).decode()}))
    assert follow().state == VALID


def test_white_space_around_and_another_media_type_are_read(serve, follow, psp):
    serve(b"\r\n" + psp.sign(cob()) + b"\n", "Content-Type: text/plain; charset=utf-8")
    assert follow()[:2] == (VALID, ("espacos_em_volta",))
    for within in (b" ", b"\r\n", b"="):
        body = psp.sign(cob())
        for place in (body.index(b"."), body.rindex(b".") + 1, 9, len(body) if within == b"=" else 9):
            serve(body[:place] + within + body[place:])
            assert follow()[:2] == (UNVERIFIED, ("resposta_ilegivel",))


def test_what_is_no_signed_payload_is_not_verified(serve, follow, psp):
    for body in (
        b"",
        b"<html>",
        b"a.b",
        b"a.b.c.d",
        b"\xff\xfe",
        b"{}",
        b"..",
        b"e30.e30.e30",
        json.dumps(cob()).encode(),
    ):
        serve(body)
        found = follow()
        assert found.charge is None
        assert found.state != VALID, body


@pytest.mark.parametrize(
    "payload",
    [
        b"[]",
        b"{}",
        b"x",
        b'{"status": "ATIVA"}',
        b"[" * 5000,
        b'{"a": NaN}',
        b'{"status": "ATIVA", "valor": {"original": "1\\u0661.00"}}',  # a digit of another script
    ],
)
def test_a_signed_content_that_is_no_charge_is_not_verified(serve, follow, psp, payload):
    serve(psp.sign(payload))
    found = follow()
    assert (found.state, found.reasons, found.charge) == (
        UNVERIFIED,
        ("conteudo_ilegivel",),
        None,
    )


@pytest.mark.parametrize(
    "status", ["404 Not Found", "410 Gone", "500 Oops", "302 Found", "206 Partial Content"]
)
def test_another_status_is_not_verified(serve, follow, psp, server, status):
    serve(
        psp.sign(cob()),
        f"Location: https://{HOST}/elsewhere",
        "Content-Type: application/jose",
        status=status,
    )
    assert follow()[:2] == (UNVERIFIED, (f"http_{status[:3]}",))
    assert len(server.asked) == 1


def test_keys_that_do_not_come_are_not_verified(serve, follow, psp, server):
    serve(psp.sign(cob()))
    server.answers["/jwks.json"] = lambda: answer_of(b"{}", status="503 Busy")
    assert follow()[:2] == (UNVERIFIED, ("http_503",))
    for keys in (b"[]", b"{}", b'{"keys": {}}', b"x"):
        serve(psp.sign(cob()), keys=keys)
        assert follow().state == UNVERIFIED


def test_a_large_body_is_left_alone(serve, follow, psp):
    serve(psp.sign(cob(infoAdicionais="x" * MAX_BYTES)))
    assert follow()[:2] == (UNVERIFIED, ("resposta_grande_demais",))


def test_a_compressed_answer_is_read(serve, follow, psp, server):
    serve(psp.sign(cob()))
    body = gzip.compress(psp.sign(cob()))
    server.answers[PATH] = lambda: answer_of(body, "Content-Encoding: gzip")
    assert follow().state == VALID
    server.answers[PATH] = lambda: answer_of(body, "Content-Encoding: br")
    assert follow()[:2] == (UNVERIFIED, ("resposta_ilegivel",))


def test_a_slow_psp_times_out(follow, psp, server, monkeypatch):
    monkeypatch.setattr(following, "SECONDS", 0.3)
    server.answers[PATH] = lambda: [b"HTTP/1.1 200 OK\r\n\r\n", *[b"a", 0.1] * 8]
    assert follow()[:2] == (UNVERIFIED, ("tempo_esgotado",))


@pytest.mark.parametrize(
    "location",
    [
        "127.0.0.1/x", "localhost/x", "169.254.169.254/latest", "[::1]/x", "user@pix.psp.example/x",
        "2130706433/x", "0x7f.1/x", "pix.psp.example:8443/x", "pix.psp.example", "pix.psp.example/a b",
        "-a.example/x",
        "é.example/x",
        "pix.psp.example/x#y", "", "/x", "http://pix.psp.example/x", "a..example/x", "pix.psp.example/\x00",
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_asked_is_not(follow, psp, server, location):
    assert follow(location)[:2] == (UNVERIFIED, ("endereco_nao_permitido",))
    assert server.asked == []


def test_a_psp_that_breaks_off_is_not_verified(follow, psp, server):
    server.answers[PATH] = lambda: [b"HTTP/1.1 200"]
    assert follow()[:2] == (UNVERIFIED, ("sem_resposta",))


def test_a_name_that_leads_elsewhere_the_second_time_is_not_followed(serve, psp, server, trust):
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])

    async def resolve(_host: str, _port: int) -> list[str]:
        return next(answers)

    network = Network(resolve, lambda address: address == "127.0.0.1", server.port, server.trusted)
    fetcher = Fetcher("brskills/test", network)
    serve(psp.sign(cob()))
    try:
        found = Follower(fetcher, trust).follow([LOCATION], "acc_1")[0]
    finally:
        fetcher.close()
    assert (found[:2], len(server.asked)) == ((UNVERIFIED, ("endereco_nao_permitido",)), 1)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (bytes.fromhex("a003020102"), bytes.fromhex("a003020105")),  # a version that does not exist
        (bytes.fromhex("0603551d0e"), bytes.fromhex("0603551d23")),  # an extension twice
        (b"\x82" + bytes([len(HOST)]), b"\xa3" + bytes([len(HOST)])),  # an X.400 address as a name
    ],
)
def test_a_malformed_certificate_is_not_verified(serve, follow, psp, right, wrong):
    content = der(psp.certificate)
    assert right in content
    psp.jwk_changes["x5c"] = [base64.b64encode(content.replace(right, wrong)).decode()]
    serve(psp.sign(cob()))
    assert follow()[:2] == (UNVERIFIED, ("certificado_ilegivel",))


@pytest.mark.parametrize("curve", [ec.SECP224R1, ec.BrainpoolP256R1, ec.SECP256K1])
def test_a_certificate_with_a_curve_of_no_allowed_algorithm_is_not_verified(
    serve, follow, psp, issuer, curve
):
    certificate = issuer.issue(HOST, ec.generate_private_key(curve()))
    psp.jwk_changes.update(x5c=[base64.b64encode(der(certificate)).decode()], x5t=None)
    serve(psp.sign(cob(), x5t=None))
    assert follow()[:2] == (UNVERIFIED, ("certificado_ilegivel",))
