"""The exceptions of a look-up: data without texts, and without the number, which may be a person's CPF."""


class InvalidCnpj(Exception):
    """Not a CNPJ; ``code`` is ``invalid_cnpj`` (form) or ``invalid_check_digits``, and never changes.

    ``lost_zeros``: with zeros in front it is a valid one.
    """

    def __init__(self, code: str, *, lost_zeros: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.lost_zeros = lost_zeros


class CompanyNotFound(Exception):
    """No such company.

    ``confirmed``: see ``conclusions.conclude``. ``data_base``: the day (ISO) of the data that lacks
    it, if known. ``paid``: a paid address has answered.
    """

    def __init__(self, confirmed: bool, data_base: str | None, *, paid: bool = False) -> None:
        super().__init__()
        self.confirmed = confirmed
        self.data_base = data_base
        self.paid = paid


class TokenUnavailable(Exception):
    """The token of a paid address cannot be read now; no caller sees it."""


_LASTING_SECONDS = 86_400  # when to ask again for what no source has until its data changes


class SourcesUnavailable(Exception):
    """No source answered, and nothing stored is recent enough; ``retry_after`` is in seconds, at least 1.

    ``nothing_failed``: the number is the sandbox's, or the data of sources is older than required, or the
    rate limits of those that may have such data are used up. ``repeated``: only this number failed, and did
    so in this process within the last minute. ``paid``: a paid address answered with data that is not fresh
    enough. ``lasting``: asking again soon cannot help, as the copy has no readable record of the company and
    no other source may have one, or as all sources are dumps whose data is older than required; so it is
    after a paid address has answered. ``retry_after`` is a day then.
    """

    def __init__(
        self,
        retry_after: int,
        *,
        nothing_failed: bool = False,
        repeated: bool = False,
        paid: bool = False,
        lasting: bool = False,
    ) -> None:
        super().__init__()
        self.retry_after = _LASTING_SECONDS if lasting or paid else max(1, retry_after)
        self.nothing_failed = nothing_failed
        self.repeated = repeated
        self.lasting = lasting
        self.paid = paid
