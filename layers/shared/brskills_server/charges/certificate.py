"""What a certificate says of its holder: names, a Brazilian company's number, and how it was verified.

EV: the subject's serialNumber is the CNPJ where jurisdictionCountry is BR (CA/Browser Forum, EV Guidelines
7.1.4.2). ICP-Brasil: otherName 2.16.76.1.3.3 (DOC-ICP-04); its other names, data of people, are not read.
"""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.x509.oid import ExtensionOID, NameOID

from taxid import cnpj

ICP_CNPJ = x509.ObjectIdentifier("2.16.76.1.3.3")
_JURISDICTION = x509.ObjectIdentifier("1.3.6.1.4.1.311.60.2.1.3")
_LEVELS = {
    "2.23.140.1.1": "estendida",
    "2.23.140.1.2.2": "organizacao",
    "2.23.140.1.2.1": "dominio",
}
"""Policies of the CA/Browser Forum (Baseline Requirements 7.1.6)."""


class Holder(NamedTuple):
    """Whom a certificate names. ``cnpj``: 14 characters, ``None`` where it has none."""

    subject: str | None
    organization: str | None
    cnpj: str | None
    issuer: str | None
    valid_until: datetime
    level: str

    def as_answer(self) -> dict[str, Any]:
        """Return the holder with its public names."""
        return {
            "titular": self.subject,
            "organizacao": self.organization,
            "cnpj": self.cnpj,
            "emissor": self.issuer,
            "valido_ate": self.valid_until.isoformat().replace("+00:00", "Z"),
            "nivel": self.level,
        }


def holder_of(certificate: x509.Certificate) -> Holder:
    """Return whom a certificate names. What it does not say, or says in another form, is ``None``."""
    return Holder(
        subject=_first(certificate.subject, NameOID.COMMON_NAME),
        organization=_first(certificate.subject, NameOID.ORGANIZATION_NAME),
        cnpj=_cnpj_of(certificate),
        issuer=_first(certificate.issuer, NameOID.COMMON_NAME)
        or _first(certificate.issuer, NameOID.ORGANIZATION_NAME),
        valid_until=certificate.not_valid_after_utc,
        level=_level_of(certificate),
    )


def printable(text: str) -> str:
    """Return a text of others without characters that control a terminal or the direction of a line."""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def _first(name: x509.Name, kind: x509.ObjectIdentifier) -> str | None:
    found = name.get_attributes_for_oid(kind)
    return printable(str(found[0].value)) if found else None


def _cnpj_of(certificate: x509.Certificate) -> str | None:
    is_brazilian = _first(certificate.subject, _JURISDICTION) == "BR"
    written = _first(certificate.subject, NameOID.SERIAL_NUMBER) if is_brazilian else _icp_cnpj(certificate)
    number = cnpj.compact(written) if written else None
    return number if number and cnpj.is_valid(number) else None


def _icp_cnpj(certificate: x509.Certificate) -> str | None:
    with suppress(x509.ExtensionNotFound, ValueError):
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        for other in names.get_values_for_type(x509.OtherName):
            if other.type_id == ICP_CNPJ and (found := re.search(rb"[0-9A-Z]{12}[0-9]{2}\Z", other.value)):
                return found[0].decode()  # the value is DER: a string of 14 characters behind its head
    return None


def _level_of(certificate: x509.Certificate) -> str:
    with suppress(x509.ExtensionNotFound, ValueError):
        policies = certificate.extensions.get_extension_for_oid(ExtensionOID.CERTIFICATE_POLICIES).value
        if isinstance(policies, x509.CertificatePolicies):
            stated = {policy.policy_identifier.dotted_string for policy in policies}
            for policy, level in _LEVELS.items():
                if policy in stated:
                    return level
    return "organizacao" if _first(certificate.subject, NameOID.ORGANIZATION_NAME) else "dominio"
