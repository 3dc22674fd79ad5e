"""Elasticsearch and OpenSearch plugged into dup-groups: grouped documents in an index that collapses them."""
