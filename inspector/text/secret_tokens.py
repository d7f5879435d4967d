"""Tokens by what stands before them or by their beginnings, those of less known makers too."""

import re
from typing import Final

from inspector.text.secret_shapes import MARK


def bearers(text: str) -> str:
    """A bearer's token without the name of a header before it."""
    return _BEARER.sub(_bearer, text) if "earer" in text or "EARER" in text else text


def _bearer(found: re.Match[str]) -> str:
    token = found[2]
    word = token.rstrip(".").lower()
    prose = token.isalpha() and (word in _OF_BEARERS or not found[1].startswith("Bearer"))
    return found[0] if prose else f"{found[1]}{MARK}"


def more_tokens(text: str) -> str:
    """Tokens of other makers, by their beginnings."""
    return _MORE_TOKENS.sub(MARK, text)


_BEARER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([Bb](?:earer|EARER)[\t ]{1,8})([A-Za-z0-9._~+/=-]{6,}+)", re.ASCII
)
_OF_BEARERS: Final = frozenset(
    (
        *("token", "tokens", "scheme", "schemes", "authentication", "authorization", "header"),
        *("headers", "string", "strings", "credential", "credentials", "format", "prefix"),
        *("value", "values", "bonds"),
    )
)
_MORE_TOKENS: Final = re.compile(
    r"\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}|xapp-[0-9]-[A-Za-z0-9-]{20,}"
    r"|xox[a-z]-[A-Za-z0-9.-]{10,}|npm_[A-Za-z0-9]{36,}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}"
    r"|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{35,}"
    r"|nvapi-[A-Za-z0-9_-]{40,}|dop_v1_[a-f0-9]{60,}|dckr_pat_[A-Za-z0-9_-]{20,}"
    r"|lin_api_[A-Za-z0-9]{30,}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32,}|GOCSPX-[A-Za-z0-9_-]{20,}"
    r"|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"
    r"|gl(?:rt|dt|ptt|oas)-[A-Za-z0-9_-]{16,}|hv[sbr]\.[A-Za-z0-9_-]{20,}|ATATT[A-Za-z0-9_=-]{40,}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{50,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"
    r"|glsa_[A-Za-z0-9_]{30,}|sntrys_[A-Za-z0-9+/=_-]{30,}|figd_[A-Za-z0-9_-]{30,}"
    r"|ntn_[A-Za-z0-9]{30,}|rubygems_[a-f0-9]{40,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}"
    r"|CFPAT-[A-Za-z0-9_-]{40,}|tskey-[a-z]{3,8}-[A-Za-z0-9-]{16,}|dp\.pt\.[A-Za-z0-9]{40,}"
    r"|dapi[a-f0-9]{32}|sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|sbp_[a-f0-9]{40}"
    r"|discord(?:app)?\.com/api/webhooks/[0-9]{8,20}/[A-Za-z0-9_-]{30,}"
    r"|hooks\.slack\.com/services/[A-Za-z0-9/]{20,})",
    re.ASCII,
)
