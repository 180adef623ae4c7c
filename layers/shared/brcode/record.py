"""Typed immutable records: ``typing.NamedTuple`` without ``typing``, which takes a third of the import time.

Type checkers see ``NamedTuple`` itself; what is made at run time is the same ``collections.namedtuple``.
A module that defines records begins with ``from __future__ import annotations``.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["Record"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:

    class _RecordType(type):
        def __new__(mcs, name, bases, namespace):
            if not bases:
                return super().__new__(mcs, name, bases, namespace)
            fields = list(namespace["__annotations__"])
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            base = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            return type(name, (base,), {**namespace, "__slots__": ()})

    class Record(metaclass=_RecordType):
        """The base of every record."""
