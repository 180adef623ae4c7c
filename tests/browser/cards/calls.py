"""Calls of the tools that have cards, by what they show; none counts but those of codes."""

PIX = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria São João", "cidade": "São Paulo"}
CODE = ("create_pix_code", {**PIX, "valor": "49.90"})
PAYEE = ("check_pix_payee", {"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"})
COMPANY = ("look_up_company", {"cnpj": "SANDBOX1000170"})
ABSENT = ("look_up_company", {"cnpj": "SANDBOX4000103"})
LOCATION = "sandbox.brskills.example/pix/v2/"
SIGNED = ("check_pix_payee", {"url": f"{LOCATION}valida", "seguir": True})
CALLS = {"pix": CODE, "payee": PAYEE, "signed": SIGNED, "company": COMPANY, "absent": ABSENT}
