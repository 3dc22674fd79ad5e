"""Records of web archives (WARC), made for tests."""


def warc(
    url: str,
    body: bytes,
    header: str = "Content-Type: text/html",
    status: str = "200 OK",
    *,
    kind: str = "response",
    length_off_by: int = 0,
) -> bytes:
    """A record as web archives hold it; status and header are those of HTTP."""
    http = f"HTTP/1.1 {status}\r\n{header}\r\n\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
    head += f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype={kind}\r\n"
    head += f"Content-Length: {len(http) + length_off_by}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"
