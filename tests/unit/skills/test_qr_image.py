"""The picture of a code in a JSON answer: its form, size and margin, and what is refused."""

from base64 import b64decode
from io import BytesIO
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from brcode import qr_png, qr_svg
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.unit.skills.test_create_pix_code import CHARGE, create, issues


@pytest.mark.parametrize("filled_in", [{"qr": None}, {"qr_tamanho": 8, "qr_margem": 4}])
def test_an_answer_has_no_picture_that_was_not_requested(session: Session, filled_in: dict[str, Any]) -> None:
    assert not {"qr", "qr_tamanho", "qr_margem"} & create({**CHARGE, **filled_in}, session).keys()


def test_a_png_shows_the_code_in_the_requested_size(session: Session) -> None:
    code = create({**CHARGE, "qr": "png", "qr_tamanho": 3, "qr_margem": 1}, session)
    image = Image.open(BytesIO(b64decode(code["qr"])))
    (symbol,) = zxingcpp.read_barcodes(image.convert("L"))
    assert symbol.text == code["brcode"]
    modules = Image.open(BytesIO(qr_png(code["brcode"], 1, 0))).width
    assert (image.format, image.width) == ("PNG", 3 * (modules + 2))
    assert (code["qr_tamanho"], code["qr_margem"]) == (3, 1)


@pytest.mark.parametrize("absent", [{}, {"qr_tamanho": None, "qr_margem": None}])
def test_the_picture_is_by_default_the_one_that_accept_gives(
    session: Session, absent: dict[str, Any]
) -> None:
    for form, drawn in {"png": qr_png, "svg": lambda text: qr_svg(text).encode()}.items():
        code = create({**CHARGE, "qr": form, **absent}, session)
        assert b64decode(code["qr"]) == drawn(code["brcode"])
        assert (code["qr_tamanho"], code["qr_margem"]) == (8, 4)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"qr": "gif"}, {"qr": "invalid_value"}),
        ({"qr": True}, {"qr": "invalid_value"}),
        ({"qr": "png", "qr_tamanho": 0}, {"qr_tamanho": "out_of_range"}),
        ({"qr": "svg", "qr_margem": 11}, {"qr_margem": "out_of_range"}),
        ({"qr": "png", "qr_tamanho": "8"}, {"qr_tamanho": "invalid_type"}),
        ({"qr_tamanho": 7}, {"qr": "required"}),
        ({"qr": None, "qr_margem": 0}, {"qr": "required"}),
    ],
)  # fmt: skip
def test_a_picture_that_cannot_be_drawn_is_refused(
    session: Session, ledger: Ledger, wrong: dict[str, Any], code: dict[str, str]
) -> None:
    assert issues({**CHARGE, **wrong}, session) == code
    assert ledger.usage(session.caller)[0].calls == 0
