"""All skills of the service in the order of lists, and the scopes of keys and tokens."""

from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.cnpj.company_history import COMPANY_HISTORY
from brskills_server.skills.cnpj.look_up_companies import FEW_COMPANIES, LOOK_UP_COMPANIES
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.cnpj.search_companies import SEARCH_COMPANIES
from brskills_server.skills.custom import CUSTOM
from brskills_server.skills.payee.check_payee import CHECK_PAYEE
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.create_pix_codes import CREATE_PIX_CODES
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.skills.skill import Skill
from brskills_server.skills.watches.list_changes import LIST_CHANGES
from brskills_server.skills.watches.list_watches import LIST_WATCHES
from brskills_server.skills.watches.read_watch import READ_WATCH
from brskills_server.skills.watches.simulate_change import SIMULATE_CHANGE
from brskills_server.skills.watches.unwatch_company import UNWATCH_COMPANY
from brskills_server.skills.watches.watch_companies import WATCH_COMPANIES
from brskills_server.skills.webhooks.change_webhook import CHANGE_WEBHOOK
from brskills_server.skills.webhooks.create_webhook import CREATE_WEBHOOK
from brskills_server.skills.webhooks.delete_webhook import DELETE_WEBHOOK
from brskills_server.skills.webhooks.list_deliveries import LIST_DELIVERIES
from brskills_server.skills.webhooks.list_webhooks import LIST_WEBHOOKS
from brskills_server.skills.webhooks.read_webhook import READ_WEBHOOK
from brskills_server.skills.webhooks.rotate_webhook import ROTATE_WEBHOOK
from brskills_server.skills.webhooks.send_test_event import SEND_TEST_EVENT

SCOPES = {
    "pix": ("Pix", "Códigos Pix (BR Code): criar e ler."),
    "cnpj": ("CNPJ", "O cadastro de empresas."),
    "conta": ("Conta", "Chaves, uso, empresas monitoradas e webhooks."),
    CUSTOM: ("Sob medida", "APIs exclusivas da sua conta."),
}
"""Scope → name and description for people."""

SKILLS = {
    skill.name: skill
    for skill in (
        CREATE_PIX_CODE,
        DECODE_PIX_CODE,
        CHECK_PAYEE,
        LOOK_UP_COMPANY,
        COMPANY_HISTORY,
        SEARCH_COMPANIES,
        WATCH_COMPANIES,
        LIST_WATCHES,
        UNWATCH_COMPANY,
        LIST_CHANGES,
        GET_USAGE,
    )
}
"""Skills by name, which are tools too. Custom skills are found at run time (``runtime.custom_skills``)."""


def offered_skills(*, with_copy: bool) -> list[Skill]:
    """Return the skills that work; those that read only the register's copy are left out without one."""
    without = () if with_copy else (COMPANY_HISTORY, SEARCH_COMPANIES)
    return [skill for skill in SKILLS.values() if skill not in without]


BATCHES = {skill.name: skill for skill in (CREATE_PIX_CODES, LOOK_UP_COMPANIES)}
"""Batches by name. They are not tools, since their answers would fill a model's context."""

TOOL_BATCHES = {FEW_COMPANIES.name: FEW_COMPANIES}
"""Batches of few items, which are tools of MCP."""

ROUTES = {
    skill.name: skill
    for skill in (
        READ_WATCH,
        SIMULATE_CHANGE,
        CREATE_WEBHOOK,
        LIST_WEBHOOKS,
        READ_WEBHOOK,
        CHANGE_WEBHOOK,
        DELETE_WEBHOOK,
        SEND_TEST_EVENT,
        ROTATE_WEBHOOK,
        LIST_DELIVERIES,
    )
}
"""Skills by name that programs use and models need not: they are not tools either."""
