"""Our own skills, in the order in which they are listed, and the scopes that skills belong to.

A function that serves one skill imports that skill's module; this one is for lists of them all.
"""

from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.cnpj.look_up_companies import LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.custom import CUSTOM
from brskills_server.skills.payee.check_payee import CHECK_PAYEE
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE

__all__ = ["BATCHES", "SCOPES", "SKILLS"]

SCOPES = {
    "pix": ("Pix", "Códigos Pix (BR Code): criar e ler."),
    "cnpj": ("CNPJ", "O cadastro de empresas."),
    "conta": ("Conta", "Chaves e uso."),
    CUSTOM: ("Sob medida", "Habilidades da sua conta."),
}
"""What a key may be used for: scope → name and description for people."""

SKILLS = {
    skill.name: skill for skill in (CREATE_PIX_CODE, DECODE_PIX_CODE, CHECK_PAYEE, LOOK_UP_COMPANY, GET_USAGE)
}
"""Skills by name, as tools too. Those that customers add are found at run time (``brskills_server.skills.custom``)."""

BATCHES = {skill.name: skill for skill in (CREATE_PIX_CODES, LOOK_UP_COMPANIES)}
"""Many requests to a skill in one. They are not tools: see docs/agents.md."""
