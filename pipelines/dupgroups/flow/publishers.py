"""Which pages are of one publisher: those of one registered domain, and of sites that one company owns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from dupgroups.content.letters import letters_and_digits
from dupgroups.model import Copy, Record
from dupgroups.text.known_publishers import is_agency
from dupgroups.text.urls import registered_domain


def domain_of(record: Record, page: Copy) -> str:
    """The registered domain of a page, or else the name of its site; "" if neither is known."""
    return registered_domain(record.host) or page.site.casefold()


def owner_of(page: Copy) -> str:
    """The company that owns the site of a page; "" if unknown, or an agency, whose notice is of the text."""
    return "" if is_agency(page.owner) else page.owner


def unite_publishers(pages: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The publisher of each domain, from the domain and the owner of each page: © and the owner, or else
    the domain itself. A domain with the notices of several companies is a portal, which shows those of the
    texts it has.
    """
    owners = defaultdict[str, set[str]](set)
    for domain, owner in pages:
        owners[domain].update({letters_and_digits(owner)} - {""})
    return {domain: f"©{min(names)}" if len(names) == 1 else domain for domain, names in owners.items()}
