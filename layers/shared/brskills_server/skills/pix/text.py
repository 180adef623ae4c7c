"""The field ``brcode`` of a request: the text of a Pix code."""

from brskills_server.skills.issues import FieldIssue

MAX_CODE_LENGTH = 4096

_NO_CODE = {
    "pt": "Não pode ser vazio. Envie o texto do Pix copia e cola, que começa por 000201.",
    "en": "Must not be empty. Send the text of the Pix copia e cola, which starts with 000201.",
}


def explain_empty_code(issue: FieldIssue) -> FieldIssue:
    """Return the issue; that of an empty code with a text that says what to send."""
    return issue._replace(texts=_NO_CODE) if issue[:2] == ("brcode", "empty") else issue
