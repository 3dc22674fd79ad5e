"""OpenSearch, with opensearch-py: only the differences from Elasticsearch."""

from collections.abc import Iterable, Mapping
from typing import Any

from dupgroups.engines.url import EngineURL
from dupgroups.errors import EngineError, require_extra
from dupgroups_es import transport
from dupgroups_es.base import ClusterEngine

with require_extra("opensearch", "The OpenSearch engine"):
    from opensearchpy import OpenSearch, Urllib3HttpConnection
    from opensearchpy.exceptions import ConnectionError as NoConnection
    from opensearchpy.exceptions import ConnectionTimeout, SerializationError, SSLError, TransportError
    from opensearchpy.serializer import JSONSerializer

LINES = {"content-type": "application/x-ndjson"}


def open_index(url: EngineURL) -> ClusterEngine:
    """Documents in an OpenSearch index with an alias."""
    return ClusterEngine(url, OpenSearchClient(url, transport.Options.of(url)))


class OpenSearchClient(transport.Client):
    """See transport.Client."""

    library = "opensearch-py"

    def __init__(self, url: EngineURL, options: transport.Options) -> None:
        headers = {"authorization": f"ApiKey {url.api_key}"} if url.api_key else {}
        transport.quieten_clients()
        self._client = OpenSearch(
            serializer=_Serializer(),
            hosts=[{"host": url.host, "port": url.port or 9200}],
            connection_class=_Connection,
            http_auth=(url.user, url.password or "") if url.user and not url.api_key else None,
            headers=headers,
            use_ssl=url.tls,
            ca_certs=options.ca,
            verify_certs=options.verify,
            ssl_assert_hostname=None if options.verify else False,
            ssl_show_warn=False,
            timeout=options.timeout,
            max_retries=0,
        )

    def send(
        self, method: str, path: str, params: Mapping[str, str], body: bytes | None, *, lines: bool
    ) -> Any:
        headers = LINES if lines else None
        try:
            return self._client.transport.perform_request(
                method, path, params=params, body=body, headers=headers
            )
        except ConnectionTimeout:
            raise transport.NoAnswerError("time-out") from None
        except SSLError:
            raise transport.untrusted_error() from None
        except NoConnection as error:
            raise transport.NoAnswerError(transport.silence(error)) from None
        except (SerializationError, UnicodeDecodeError):
            raise transport.NoAnswerError(transport.NOT_JSON) from None
        except TransportError as error:
            info = error.info if isinstance(error.info, dict) else {}
            raise transport.RefusedError.from_answer(
                int(error.status_code), info.get("error", error.error)
            ) from None


class _Serializer(JSONSerializer):
    """Keeps the text of responses."""

    def loads(self, s: str) -> Any:
        try:
            return transport.from_json(s)
        except ValueError as error:
            raise SerializationError(s, error) from error


class _Connection(Urllib3HttpConnection):
    """Checks for the header that every Elasticsearch server sends, even if `GET /` fails."""

    def perform_request(self, *args: Any, **kwargs: Any) -> Any:
        status, headers, data = super().perform_request(*args, **kwargs)
        _check_product(headers)
        return status, headers, data

    def get_response_headers(self, response: Any) -> Any:
        """Check the headers of errors: the base class calls this only for errors."""
        _check_product(response.headers)
        return super().get_response_headers(response)


def _check_product(headers: Iterable[str]) -> None:
    if "x-elastic-product" in {name.lower() for name in headers}:
        raise EngineError("this is an Elasticsearch server: write elasticsearch://... instead")
