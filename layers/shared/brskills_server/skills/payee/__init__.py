"""Who is paid: whether the name in a Pix code is a name of the company whose number is its key.

Pure: no network, no environment, no logging.

>>> from payee import compare_names
>>> compare_names("MARIA SOUZA", "AUTO POSTO ESTRELA LTDA", "POSTO ESTRELA")
'diverge'
"""

from brskills_server.skills.payee.alerts import RECENT_DAYS, STALE_DAYS, alerts_of_company
from brskills_server.skills.payee.names import Verdict, compare_names

__all__ = ["RECENT_DAYS", "STALE_DAYS", "Verdict", "alerts_of_company", "compare_names"]
