"""The checksum of field 63: CRC-16/CCITT-FALSE, polynomial 0x1021, start 0xFFFF (EMVCo QRCPS-MPM 1.1 §4.7.3).

``binascii.crc_hqx`` is this polynomial in C; started at 0xFFFF it is this CRC.

>>> checksum("00020126330014br.gov.bcb.pix01115299822472552040000530398654041.005802BR"
...          "5913Fulano de Tal6008BRASILIA62090505Z12716304")
'0008'
"""

from binascii import crc_hqx

__all__ = ["checksum"]


def checksum(text: str, encoding: str = "utf-8") -> str:
    """Four upper-case hex digits over ``text``, which ends in ``6304``; a lone surrogate counts as ``?``."""
    return f"{crc_hqx(text.encode(encoding, 'replace'), 0xFFFF):04X}"
