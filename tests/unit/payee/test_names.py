"""One example for each rule of docs/evidence/payee.md."""

from brskills_server.skills.payee.alike import is_built_of, may_be, stands_for
from brskills_server.skills.payee.names import compare_names
from brskills_server.skills.payee.reading import read_name
from tests.for_each import for_each
from tests.unit.brcode.samples import DATA

RULES = (DATA / "payee_rules.tsv").read_text(encoding="utf-8").splitlines()[1:]


@for_each(("written", "legal", "trade", "answer"), [row.split("\t") for row in RULES])
def test_answers(written: str, legal: str, trade: str, answer: str) -> None:
    assert compare_names(written, legal or None, trade or None) == answer


def test_the_words_of_a_name() -> None:
    name = read_name("12.345.678 João  d'Ávila & Cia. do Sul Ltda - ME")
    assert name
    assert name.words == ("JOAO", "DAVILA", "COMPANHIA", "SUL")
    assert (name.letters, name.number, name.ends_open) == ("JOAODAVILAECIADOSUL", "12345678", False)


@for_each("text", ["", "  ", "***", "LTDA", "S.A.", "N/A", "Pix", "Minha Loja", "X", "123", "☕"])
def test_texts_without_a_name(text: str) -> None:
    assert read_name(text) is None


@for_each(
    ("one", "other", "may"),
    [
        ("WAGNER", "VAGNER", True),
        ("THAYNA", "TAINA", True),
        ("CHAVES", "XAVES", True),
        ("FELYPE", "FILIPE", True),
        ("MARCOS", "MRCS", True),
        ("CIDA", "APARECIDA", True),
        ("NETFILX", "NETFLIX", True),
        ("LUZ", "LUS", True),
        ("JO?O", "JOAO", True),
        ("S?O", "SAO", True),
        ("SOL", "SUL", False),
        ("SILVA", "SILVESTRE", False),
        ("2001", "2010", False),
        ("JOAO", "JOANA", False),
    ],
)
def test_words_that_may_be_one(one: str, other: str, may: bool) -> None:
    assert may_be(one, other) is may_be(other, one) is may


def test_only_words_of_trades_are_certainly_shortened() -> None:
    assert stands_for("TRANSP", "TRANSPORTES")
    assert not stands_for("CENTRAL", "CENTRALINA")
    assert not stands_for("TR", "TRANSPORTES")


def test_a_word_may_be_built_of_beginnings() -> None:
    words = ("COOPERATIVA", "AGRICOLA", "VALE", "CEDRO")
    assert is_built_of("COOPERCEDRO", words)
    assert is_built_of("AGROVALE", ("AGROPECUARIA", "VALE"))
    assert not is_built_of("CEDROVALE", words)
    assert not is_built_of("COOPERX", words)
