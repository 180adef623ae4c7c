"""Every rule of a BR Code, applied to one text."""

import unicodedata

from brcode import location
from brcode.crc import checksum
from brcode.keys import has_check_digits, in_numbering_plan, key_form
from brcode.model import Fields, KeyType, Kind
from brcode.rules import Finding
from brcode.tlv import (
    ACCOUNT_TEMPLATES,
    ADDITIONAL_DATA,
    ADDITIONAL_DATA_BRCODE_VERSION,
    ADDITIONAL_DATA_TXID,
    AMOUNT,
    COUNTRY,
    CRC,
    CURRENCY,
    GUI,
    INITIATION_METHOD,
    MCC,
    MERCHANT_CITY,
    MERCHANT_NAME,
    PAYLOAD_FORMAT,
    PIX_DESCRIPTION,
    PIX_GUI,
    PIX_KEY,
    PIX_LEGACY_LOCATION,
    PIX_LOCATION,
    PIX_WITHDRAWAL_ISPB,
    POSTAL_CODE,
    TEMPLATES,
    UNRESERVED_TEMPLATES,
    Flaw,
    is_digits,
    is_ispb,
    parse,
)

__all__ = ["Inspection"]

_LONGEST_CODE = 512
_AROUND = " \t\r\n\v\f\x85\xa0\u2028\u2029\ufeff"
_HEX_DIGITS = set("0123456789ABCDEFabcdef")
_BROKEN = {"object_malformed", "object_truncated"}
_NAMED = {PAYLOAD_FORMAT, INITIATION_METHOD, MCC, CURRENCY, AMOUNT, COUNTRY, MERCHANT_NAME, MERCHANT_CITY,
          POSTAL_CODE, CRC}  # fmt: skip
_PIX_NAMED = {GUI, PIX_KEY, PIX_DESCRIPTION, PIX_WITHDRAWAL_ISPB, PIX_LOCATION}


class Inspection:
    """One reading of one text; ``findings`` are in the order of the code's parts."""

    def __init__(self, text: str) -> None:
        self.findings: list[Finding] = []
        self._code = text.strip(_AROUND)
        if self._code != text:
            self._report("surrounding_space")
        self._root, self._whole = self._parse_root()
        self._templates = self._parse_templates()

    def run(self) -> tuple[Kind | None, Fields]:
        """Apply every rule; the kind of the code and what it holds."""
        self._check_frame()
        account_id = self._find_pix(ACCOUNT_TEMPLATES, "pix_template_repeated")
        account = self._templates.get(account_id, {})
        if not account_id and self._whole:
            self._report("pix_template_missing", "26")
        recurrence = self._check_recurrence()
        found_location = account.get(PIX_LOCATION)
        key = account.get(PIX_KEY)
        key_type = self._check_key(key)
        self._check_account(account_id, account, recurrence)
        static = key is not None and found_location is None
        root = self._root.get
        self._check_constants()
        self._check_amount(root(AMOUNT), static=static)
        self._check_text("merchant_name", "name", root(MERCHANT_NAME), 25)
        self._check_text("merchant_city", "city", root(MERCHANT_CITY), 15)
        self._check_postal_code(root(POSTAL_CODE))
        txid = self._check_additional_data(static=static)
        self._check_crc()
        method = root(INITIATION_METHOD)
        fields = Fields(
            key=key,
            key_type=key_type,
            amount=root(AMOUNT),
            merchant_name=root(MERCHANT_NAME),
            merchant_city=root(MERCHANT_CITY),
            txid=txid,
            description=account.get(PIX_DESCRIPTION),
            postal_code=root(POSTAL_CODE),
            mcc=root(MCC),
            location=found_location,
            recurrence_location=recurrence,
            withdrawal_ispb=account.get(PIX_WITHDRAWAL_ISPB),
            single_use={"11": False, "12": True}.get(method or ""),
            unknown=tuple(self._unknown(account_id)),
        )
        return (_kind(fields) if self._whole else None), fields

    def _report(self, rule: str, field: str | None = None, **params: str | int) -> None:
        self.findings.append(Finding(rule, field, params))

    # The shape: objects, templates, characters

    def _parse_root(self) -> tuple[dict[str, str], bool]:
        objects, flaws = parse(self._code)
        if _is_broken(flaws) and not self._code.isascii():
            # Latin-1 gives every byte a character, so its lengths are those of the bytes
            by_bytes, byte_flaws = parse(self._code.encode("utf-8", "replace").decode("latin-1"))
            if not _is_broken(byte_flaws):
                self._report("lengths_in_bytes")
                flaws = byte_flaws
                objects = {
                    tag: value.encode("latin-1").decode("utf-8", "replace") for tag, value in by_bytes.items()
                }
        self._report_flaws(flaws, None)
        return objects, not _is_broken(flaws)

    def _parse_templates(self) -> dict[str, dict[str, str]]:
        templates = {}
        for tag, value in self._root.items():
            if tag in TEMPLATES:
                objects, flaws = parse(value)
                self._report_flaws(flaws, tag)
                templates[tag] = objects
                if (
                    tag in ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES
                    and GUI not in objects
                    and not _is_broken(flaws)
                ):
                    self._report("gui_missing", tag, id=tag)
        return templates

    def _report_flaws(self, flaws: list[Flaw], template: str | None) -> None:
        reported = set()
        for flaw in flaws:
            path = f"{template}-{flaw.id}" if template else flaw.id
            if (flaw.rule, path) not in reported:  # an id may be repeated a thousand times
                reported.add((flaw.rule, path))
                self._report(flaw.rule, path if flaw.id else template, id=path, position=flaw.position)

    def _check_frame(self) -> None:
        if len(self._code) > _LONGEST_CODE:
            self._report("too_long", None, length=len(self._code))
        if not self._code.isascii():
            self._report("non_ascii")
        if _has_control_characters(self._code):
            self._report("control_characters")
        if not self._code.startswith("000201"):
            self._report("payload_format", PAYLOAD_FORMAT)
        method = self._root.get(INITIATION_METHOD)
        if method not in (None, "11", "12"):
            self._report("initiation_method", "single_use", value=_short(method))

    def _find_pix(self, ids: frozenset[str], repeated: str) -> str:
        """The id of the first template among ``ids`` that bears Pix's mark, or nothing."""
        found = ""
        for tag, objects in self._templates.items():
            gui = objects.get(GUI, "")
            if tag not in ids or gui.lower() != PIX_GUI:
                continue
            if found:
                self._report(repeated, tag, id=tag)
                continue
            found = tag
            if gui != PIX_GUI:
                self._report("gui_case", f"{tag}-00", value=gui)
            if next(iter(objects)) != GUI:
                self._report("gui_not_first", f"{tag}-00", id=tag)
        return found

    # The Pix template and that of Pix Automático

    def _check_account(self, account_id: str, account: dict[str, str], recurrence: str | None) -> None:
        description = account.get(PIX_DESCRIPTION)
        if description is not None and len(description) > 72:
            self._report("description_too_long", "description", length=len(description))
        ispb = account.get(PIX_WITHDRAWAL_ISPB)
        if ispb is not None and not is_ispb(ispb):
            self._report("withdrawal_ispb", "withdrawal_ispb")
        if PIX_LOCATION in account:
            self._check_location("location", account[PIX_LOCATION])
            if PIX_KEY in account:
                self._report("key_and_location", "location")
            for tag, field in ((PIX_DESCRIPTION, "description"), (PIX_WITHDRAWAL_ISPB, "withdrawal_ispb")):
                if tag in account:
                    self._report("ignored_with_location", field)
        elif account_id and PIX_KEY not in account and recurrence is None and self._whole:
            self._report("pix_template_empty", account_id)

    def _check_key(self, key: str | None) -> KeyType | None:
        if key is None:
            return None
        key_type = key_form(key)
        if key_type is None and key_form(key.lower()) is KeyType.ALEATORIA:
            self._report("key_upper_case", "key")
            return KeyType.ALEATORIA
        if key_type is None:
            self._report("key_form", "key")
        elif not has_check_digits(key, key_type):
            self._report("key_check_digits", "key", type=key_type)
        elif not in_numbering_plan(key):
            self._report("key_phone_number", "key")
        return key_type

    def _check_location(self, field: str, value: str) -> None:
        if location.has_protocol(value):
            self._report("location_protocol", field)
        elif not location.has_form(value):
            self._report("location_form", field)

    def _check_recurrence(self) -> str | None:
        tag = self._find_pix(UNRESERVED_TEMPLATES, "recurrence_repeated")
        if not tag:
            return None
        template = self._templates[tag]
        found = template.get(PIX_LOCATION)
        if found is not None:
            self._check_location("recurrence_location", found)
        elif PIX_LEGACY_LOCATION in template:
            self._report("recurrence_legacy_field", f"{tag}-01", id=tag)
        else:
            self._report("recurrence_empty", tag, id=tag)
        return found

    # The fields of the root

    def _check_constants(self) -> None:
        root = self._root
        if (MCC in root or self._whole) and not is_digits(root.get(MCC, ""), 4):
            self._report("mcc", "mcc")
        if (CURRENCY in root or self._whole) and root.get(CURRENCY) != "986":
            self._report("currency", CURRENCY)
        if (COUNTRY in root or self._whole) and root.get(COUNTRY) != "BR":
            self._report("country", COUNTRY)

    def _check_amount(self, amount: str | None, *, static: bool) -> None:
        if amount is None:
            return
        reais, _, cents = amount.partition(".")
        if not (
            is_digits(reais, min(len(reais), 10)) and (is_digits(cents, min(len(cents), 2)) or not cents)
        ):
            self._report("amount_form", "amount")
            return
        right = f"{reais.lstrip('0') or '0'}.{cents:0<2}"
        if right == "0.00":
            self._report("amount_zero" if static else "amount_zero_dynamic", "amount")
        elif amount != right:
            self._report("amount_not_canonical", "amount", value=amount, right=right)

    def _check_text(self, field: str, rule: str, value: str | None, limit: int) -> None:
        if value is None:
            if self._whole:
                self._report(f"{rule}_missing", field)
            return
        if len(value) > limit:
            self._report(f"{rule}_too_long", field, length=len(value))
        if not (value.isascii() and value.isprintable()):
            self._report(f"{rule}_characters", field)
        if value != value.strip(" "):
            self._report("padded", field)

    def _check_postal_code(self, value: str | None) -> None:
        if value is not None and not (len(value) <= 10 and value.isascii() and value.isprintable()):
            self._report("postal_code", "postal_code")

    def _check_additional_data(self, *, static: bool) -> str | None:
        if ADDITIONAL_DATA not in self._root:
            if self._whole:
                self._report("additional_data_missing", "txid")
            return None
        objects = self._templates[ADDITIONAL_DATA]
        if ADDITIONAL_DATA_BRCODE_VERSION in objects:
            self._report("brcode_version_field", "62-50")
        txid = objects.get(ADDITIONAL_DATA_TXID)
        if txid is None:
            self._report("txid_missing", "txid")
            return None
        if len(txid) > 25:
            self._report("txid_too_long", "txid", length=len(txid))
        if txid != "***" and not (txid.isascii() and txid.isalnum()):
            # the real txid of a dynamic code lies behind its location: BCB's own example has a hyphen here
            self._report("txid_characters" if static else "txid_characters_dynamic", "txid")
        return txid

    def _check_crc(self) -> None:
        if not self._whole:
            return
        crc = self._root.get(CRC)
        if crc is None:
            self._report("crc_missing", CRC)
        elif list(self._root)[-1] != CRC:
            self._report("crc_not_last", CRC)
        elif len(crc) != 4 or not set(crc) <= _HEX_DIGITS:
            self._report("crc_form", CRC)
        else:
            self._compare_crc(crc, self._code[:-4])

    def _compare_crc(self, crc: str, covered: str) -> None:
        right = checksum(covered.encode("utf-8", "replace"))
        if crc == right:
            return
        if crc.upper() == right:
            self._report("crc_lower_case", CRC, right=right)
        elif not covered.isascii() and crc.upper() == checksum(covered.encode("latin-1", "replace")):
            self._report("crc_latin1", CRC, right=right)
        else:
            self._report("crc_mismatch", CRC, value=crc, right=right)

    def _unknown(self, account_id: str) -> list[tuple[str, str]]:
        """What has no place in ``Fields``, in the order of the code."""
        unknown = []
        for tag, value in self._root.items():
            objects = self._templates.get(tag)
            if objects is None:
                if tag not in _NAMED:
                    unknown.append((tag, value))
                continue
            named = self._named_in(tag, account_id)
            if not objects:
                unknown.append((tag, value))
            unknown.extend((f"{tag}-{sub}", inner) for sub, inner in objects.items() if sub not in named)
        return unknown

    def _named_in(self, tag: str, account_id: str) -> set[str]:
        if tag == account_id:
            return _PIX_NAMED
        if tag == ADDITIONAL_DATA:
            return {ADDITIONAL_DATA_TXID}
        if tag in UNRESERVED_TEMPLATES and self._templates[tag].get(GUI, "").lower() == PIX_GUI:
            return {GUI, PIX_LOCATION}
        return set()


def _is_broken(flaws: list[Flaw]) -> bool:
    return any(flaw.rule in _BROKEN for flaw in flaws)


def _has_control_characters(code: str) -> bool:
    return not code.isprintable() and any(unicodedata.category(char)[0] in "C" for char in code)


def _kind(fields: Fields) -> Kind | None:
    if fields.recurrence_location is not None:
        return Kind.RECORRENCIA if fields.key is None and fields.location is None else Kind.COMPOSTO
    if fields.location is not None:
        return Kind.DINAMICO
    if fields.key is None:
        return None
    return Kind.ESTATICO if fields.withdrawal_ispb is None else Kind.SAQUE


def _short(value: str) -> str:
    """Enough of a stranger's value to recognise it."""
    return value if len(value) <= 20 else f"{value[:20]}…"
