"""Extraction: from a Page to its Content, the article with its title, date, language and identity.

| of a page | is read in |
|---|---|
| blocks of text, and what each is like | `blocks.py` (without `hidden.py`), `features.py` |
| those of the article | `auto.py`, `asides.py`, `insets.py`, `references.py`, `interruptions.py` |
| what only scripts show | `page_source.py` |
| headline, and name of the site | `headlines.py` |
| date | `declared_dates.py`, else `dates_in_sight.py` and `date_ranker.py`, else `find_update` of the first |
| authors | `declared_authors.py`, else `visible_authors.py`, `marked_authors.py` |
| whose text it reprints, and whose site it is | `declared_sources.py`, `owners.py` |
| whether it is an article | `article.py` |

`page_analysis.py` calls all of these, `visible_*.py` by `surroundings.py`. With
`article_methods.py` another method than `article.py` may decide.
"""

from __future__ import annotations

from dupgroups.content.page_analysis import EXTRACTORS, Extractor, extract, join

__all__ = ["EXTRACTORS", "Extractor", "extract", "join"]
