"""Counters by name and day, and the salts of pseudonyms."""

from brskills_server.adapters.sql.database import SqlStore

_COUNT = """
INSERT INTO signups (pseudonym, day, issued, expires_at)
SELECT :name, :day, 1, :expires_at WHERE :limit > 0
ON CONFLICT (pseudonym, day) DO UPDATE SET issued = signups.issued + 1, expires_at = :expires_at
 WHERE signups.issued < :limit
RETURNING issued"""
_READ = "SELECT day, issued FROM signups WHERE pseudonym = :name"
_SALT = """
INSERT INTO salts (month, salt, expires_at) VALUES (:month, :salt, :expires_at)
ON CONFLICT (month) DO UPDATE SET salt = salts.salt RETURNING salt"""


class SqlWindows(SqlStore):
    """``WindowStore`` and ``SaltStore`` in the tables ``signups`` and ``salts``, a statement each."""

    def read_window(self, name: str) -> dict[str, int]:
        return dict(self._database.run(_READ, name=name))

    def count_in_window(self, name: str, day: str, limit: int, expires_at: int) -> bool:
        return bool(self._counters.run(_COUNT, name=name, day=day, limit=limit, expires_at=expires_at))

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        ((salt,),) = self._database.run(_SALT, month=month, salt=proposed.hex(), expires_at=expires_at)
        return bytes.fromhex(salt)
