"""Tokens by what stands before them or by their beginnings, those of less known makers too."""

import re
from typing import Final

from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import spared


def bearers(text: str) -> str:
    """A bearer's token without the name of a header before it."""
    if "earer" in text or "EARER" in text:
        text = _BEARER.sub(_bearer, text)
    return _BASIC.sub(rf"\1{MARK}", text) if "asic " in text else text


def _bearer(found: re.Match[str]) -> str:
    token = found[2]
    word = token.rstrip(".").lower()
    prose = token.isalpha() and (word in _OF_BEARERS or not found[1].startswith("Bearer"))
    prose = prose or spared(token)
    return found[0] if prose else f"{found[1]}{MARK}"


def more_tokens(text: str) -> str:
    """Tokens of other makers, by their beginnings."""
    return _IN_BASE.sub(MARK, _MORE_TOKENS.sub(MARK, text))


_BEARER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([Bb](?:earer|EARER)[\t ]{1,8})([A-Za-z0-9._~+/=-]{6,}+)", re.ASCII
)
_BASIC: Final = re.compile(r"(\b[Bb]asic[\t ]{1,4})[A-Za-z0-9+/]{8,400}={1,2}(?![A-Za-z0-9=])")
_OF_BEARERS: Final = frozenset(
    (
        *("token", "tokens", "scheme", "schemes", "authentication", "authorization", "header"),
        *("headers", "string", "strings", "credential", "credentials", "format", "prefix"),
        *("value", "values", "bonds"),
    )
)
_MORE_TOKENS: Final = re.compile(
    # Keys and tokens of makers of models.
    r"\b(?:gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|hf_[A-Za-z0-9]{30,}"
    r"|api_org_[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{35,}|nvapi-[A-Za-z0-9_-]{40,}|tvly-[A-Za-z0-9-]{20,}"
    r"|lsv2_(?:pt|sk)_[A-Za-z0-9_]{32,}|e2b_[a-f0-9]{40}|fc-[a-f0-9]{32}|fw_[A-Za-z0-9]{24}"
    r"|sess-[A-Za-z0-9]{40}|BSA[A-Za-z0-9_-]{28}|ABSK[A-Za-z0-9+/]{100,}+={0,2}"
    # Of clouds.
    r"|(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/=]{8,}|LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{32}"
    r"|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|dop_v1_[a-f0-9]{60,}|do[or]_v1_[a-f0-9]{60,}"
    r"|y0_[A-Za-z0-9_-]{30,}|hv[sbr]\.[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}"
    r"|pul-[a-f0-9]{40}|fm2_[A-Za-z0-9+/=]{40,}|fo1_[A-Za-z0-9_-]{40,}|nf[pco]_[A-Za-z0-9]{30,}"
    r"|HRKU-[A-Za-z0-9_-]{30,}|sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,})"
    r"|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}|dapi[a-f0-9]{32}|tskey-[a-z]{3,8}-[A-Za-z0-9-]{16,}"
    # Of registries and of places where code is kept.
    r"|npm_[A-Za-z0-9]{36,}|pypi-[A-Za-z0-9_-]{50,}|rubygems_[A-Za-z0-9]{40,}|oy2[A-Za-z0-9]{40,}"
    r"|cio[A-Za-z0-9]{32}|dckr_[op]at_[A-Za-z0-9_-]{20,}|AKCp[A-Za-z0-9]{20,}|ATATT[A-Za-z0-9_=-]{40,}"
    r"|gl(?:rt|dt|ptt|oas|cbt|soat|imt|agent|ft|ffct)-[A-Za-z0-9_-]{16,}"
    # Of those who pay, write and watch.
    r"|[prs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}|rzp_(?:live|test)_[A-Za-z0-9]{14}"
    r"|sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|access-(?:sandbox|production)-[a-f0-9-]{36}"
    r"|xapp-[0-9]-[A-Za-z0-9-]{20,}|xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9.-]{10,}"
    r"|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}|[a-f0-9]{32}-us[0-9]{1,2}"
    r"|re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"
    r"|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"
    r"|discord(?:app)?\.com/api/webhooks/[0-9]{8,20}/[A-Za-z0-9_-]{30,}"
    r"|hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"
    r"|gl(?:sa|c)_[A-Za-z0-9_+/=]{30,}|sntry[su]_[A-Za-z0-9+/=_-]{30,}|NRAK-[A-Z0-9]{27}|ph[cx]_[A-Za-z0-9]{30,}"
    # Of those who plan, draw and keep.
    r"|lin_api_[A-Za-z0-9]{30,}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32,}|figd_[A-Za-z0-9_-]{30,}"
    r"|ntn_[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{32,}|PMAK-[A-Za-z0-9-]{30,}|CFPAT-[A-Za-z0-9_-]{40,}"
    r"|tfp_[A-Za-z0-9_.=-]{20,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}"
    r"|ops_eyJ[A-Za-z0-9+/=_-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{50,})",
    re.ASCII,
)
_IN_BASE: Final = re.compile(
    # What begins as any encoded bytes might stands alone.
    r"(?<![A-Za-z0-9+/=_-])(?:EAA[A-Za-z0-9]{40,}+(?![A-Za-z0-9+/=_-])|1//0[A-Za-z0-9_-]{30,}+"
    r"|[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9+/=_~.-]))"
)
