"""Elasticsearch and OpenSearch plugged into dup-groups."""
