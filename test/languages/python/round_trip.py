"""Reads lines `<model> <payload>`. Writes each payload as its model writes it, or `rejected`."""

import sys

import events
from pydantic import ValidationError

for line in sys.stdin:
    model, payload = line.split(" ", 1)
    try:
        event = getattr(events, model).model_validate_json(payload)
        print(event.model_dump_json(by_alias=True))
    except ValidationError:
        print("rejected")
