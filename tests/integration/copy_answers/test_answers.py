"""Our copy beside what other providers of the monthly dump answer for the same company, field by field.

For each recorded answer the files are written that it must have come from, a copy is built of them, and
the copy's record held against the provider's. What differs is listed here, each with its reason.
"""

import json
from datetime import date
from pathlib import Path

import pytest

from adapters.copies.sqlite import FolderCopy
from copy_builder.build import build_month
from copy_builder.files import open_month
from copy_builder.places.folder import FolderPlace
from registry.company import Record
from registry.copied import record_text
from registry.providers import get_provider
from registry.providers.reader import read_record
from tests.integration.copy_answers.published import ROWS_OF, write_rows

DATA = Path(__file__).parents[2] / "data" / "registry"
DAY = date(2026, 9, 12)
ANSWERS = [
    "opencnpj/petrobras_readme",
    "opencnpj/bb_filial_ALFANUMERICO_2026-10-01",
    "cnpjws/dbone_epp_simples_2026-08",
    "cnpjws/ex_mei_baixado_sem_socios_2026-08",
    "minhareceita/okbr_matriz",
    "brasilapi/google",
    "brasilapi/okbr_docs",
    "brasilapi/petrobras_2026-10-08",
    "brasilapi/shehrazade_filial",
    "brasilapi/vipmedic_data_situacao_null",
]
