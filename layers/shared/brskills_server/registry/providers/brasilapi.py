"""BrasilAPI: Minha Receita behind an edge cache, so one group with it and the same answers.

https://brasilapi.com.br/docs#tag/CNPJ — no key; its limits are not published, but are enforced. It does
not have the date of its data. An error page upstream arrives as a JSON *string* with status 200.
"""

from brskills_server.registry.providers.minhareceita import EXACT_BELOW, FIELDS, GROUP
from brskills_server.registry.providers.provider import Provider

PROVIDER = Provider(
    id="brasilapi",
    group=GROUP,
    base_url="https://brasilapi.com.br",
    path="/api/cnpj/v1/{cnpj}",
    timeout=5.0,
    fields=FIELDS,
    capital_exact_below=EXACT_BELOW,
    monthly_dump=True,
)
