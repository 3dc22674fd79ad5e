"""Mutation tests of the rooms that decide: `make mutants`."""
