"""Forms in the body of a request, read with a bound on their size."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

LARGEST = 8_192  # bytes
_FIELDS = 20


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form as browsers encode it by default; of several with one name, the last.

    Raises HTTPException: 413 for a body of more than `LARGEST` bytes, 400 for one that is no form.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise HTTPException(413, "This form is too large.")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=_FIELDS))
    except ValueError as error:
        raise HTTPException(400, "This is not a form.") from error
