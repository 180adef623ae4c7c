"""The checksum of field 63: CRC-16/CCITT-FALSE (EMVCo QRCPS-MPM 1.1 §4.7.3).

``binascii.crc_hqx`` computes its polynomial, 0x1021; this CRC starts at 0xFFFF.

>>> checksum(b"00020126330014br.gov.bcb.pix01115299822472552040000530398654041.005802BR"
...          b"5913Fulano de Tal6008BRASILIA62090505Z12716304")
'0008'
"""

from binascii import crc_hqx

CRC_START = 0xFFFF


def checksum(code: bytes) -> str:
    """Return four upper-case hexadecimal digits over a code up to and including ``6304``."""
    return f"{crc_hqx(code, CRC_START):04X}"
