"""The search page and its JSON API: Starlette and Jinja2 over any engine (`pip install 'dup-groups[web]'`).

`dupgroups.web.search_site.create_app(engine)` gives an ASGI application; `dup-groups serve` runs it.

The values of the API are made in `presentation.story` (`/api/search`, `/api/groups`),
`presentation.story_list` (`/api/stories`), `flow.explain.pair_explanation` and `flow.finding`.
"""
