"""Keeps accounts, the number of entries of their ledgers, and their final bills."""
