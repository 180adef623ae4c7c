"""The webhook of the examples in OpenAPI."""

NAME, ADDRESS = "wh_019b1f0a2c85f3d1a7c09b42e60", "https://erp.example.com/webhooks"
WEBHOOK = {
    "id": NAME,
    "url": ADDRESS,
    "eventos": ["company.changed"],
    "descricao": "ERP",
    "ativo": True,
    "motivo": None,
    "criado_em": "2026-11-18T11:06:40Z",
}
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105, invented
