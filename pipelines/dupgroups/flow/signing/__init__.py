"""Page -> Content -> Signature: what a page is by itself, before it meets what is stored."""

from __future__ import annotations

from dupgroups.flow.signing.page_signer import PageSigner
from dupgroups.flow.signing.sign import (
    extract_document,
    id_of_url,
    measured,
    sign,
    sign_all,
    sign_documents,
    sign_new,
)

__all__ = [
    "PageSigner",
    "extract_document",
    "id_of_url",
    "measured",
    "sign",
    "sign_all",
    "sign_documents",
    "sign_new",
]
