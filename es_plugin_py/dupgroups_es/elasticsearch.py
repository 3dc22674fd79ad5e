"""Elasticsearch, with its own client: only the differences from OpenSearch."""

from collections.abc import Mapping
from typing import Any

from dupgroups.engines.url import EngineURL
from dupgroups.errors import EngineError, require_extra
from dupgroups_es import transport
from dupgroups_es.base import ClusterEngine

with require_extra("elasticsearch", "The Elasticsearch engine"):
    from elasticsearch import (
        ApiError,
        Elasticsearch,
        SerializationError,
        SSLError,
        TransportError,
        UnsupportedProductError,
    )
    from elasticsearch.serializer import JsonSerializer

JSON = {"accept": "application/json", "content-type": "application/json"}
LINES = {"accept": "application/json", "content-type": "application/x-ndjson"}


def open_index(url: EngineURL) -> ClusterEngine:
    """Documents in an Elasticsearch index with an alias."""
    return ClusterEngine(url, ElasticsearchClient(url, transport.Options.of(url)))


class ElasticsearchClient(transport.Client):
    """See transport.Client."""

    library = "elasticsearch"

    def __init__(self, url: EngineURL, options: transport.Options) -> None:
        tls: dict[str, Any] = {}
        if url.tls:
            tls = {"verify_certs": options.verify, "ca_certs": options.ca, "ssl_show_warn": False}
        transport.quieten_clients()
        self._client = Elasticsearch(
            [{"scheme": "https" if url.tls else "http", "host": str(url.host), "port": url.port or 9200}],
            api_key=url.api_key,
            basic_auth=(url.user, url.password or "") if url.user and not url.api_key else None,
            request_timeout=options.timeout,
            max_retries=0,
            serializers={"application/json": _Serializer()},
            **{name: value for name, value in tls.items() if value is not None},
        )

    def send(
        self, method: str, path: str, params: Mapping[str, str], body: bytes | None, *, lines: bool
    ) -> Any:
        try:
            headers = LINES if lines else JSON
            return self._client.perform_request(method, path, params=params, headers=headers, body=body).body
        except UnsupportedProductError:
            raise _wrong_product() from None
        except ApiError as error:
            raise self._explain_error(error) from None
        except SSLError:
            raise transport.untrusted_error() from None
        except SerializationError:
            raise transport.NoAnswerError(transport.NOT_JSON) from None
        except TransportError as error:
            raise transport.NoAnswerError(transport.silence(error)) from None

    def _explain_error(self, error: ApiError) -> Exception:
        body = error.body if isinstance(error.body, dict) else {}
        if error.meta.status in (400, 404, 405, 406) and "x-elastic-product" not in error.meta.headers:
            return _wrong_product()
        refused = transport.RefusedError.from_answer(error.meta.status, body.get("error", error.message))
        if refused.kind == "media_type_header_exception":
            return EngineError(
                f"the installed client {self.version} is too new for this server: "
                "pip install 'elasticsearch>=8.19,<9' (it works with servers 8 and 9)"
            )
        return refused


class _Serializer(JsonSerializer):
    """Keeps the text of responses."""

    def json_loads(self, data: bytes) -> Any:
        return transport.from_json(data)


def _wrong_product() -> EngineError:
    return EngineError("this is not an Elasticsearch server: for OpenSearch write opensearch://... instead")
