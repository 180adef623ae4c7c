"""Brazilian tax numbers: CPF (people) and CNPJ (companies), numeric and alphanumeric.

Both modules offer the same verbs: ``compact``, ``is_valid`` and ``format``.

>>> from taxid import cnpj, cpf
>>> cpf.is_valid("52998224725"), cnpj.is_valid("12ABC34501DE35")
(True, True)
"""

from taxid import cnpj, cpf

__all__ = ["cnpj", "cpf"]
