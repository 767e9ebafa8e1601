"""The platform's REST API."""

import base64
import json
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


class Unavailable(Exception):
    """The platform gave no usable response. A later request may."""


class Platform:
    def __init__(self, url, key):
        self._url = url.rstrip("/")
        self._credentials = base64.b64encode(f"{key}:".encode()).decode()

    def billing_name(self, account):
        """Returns the name on bills of an account, or None for an unknown account. Raises `Unavailable`."""
        request = Request(f"{self._url}/accounts/{quote(account, safe='')}/")
        request.add_header("Authorization", f"Basic {self._credentials}")
        try:
            with urlopen(request, timeout=5) as response:
                return json.load(response)["billing_name"]
        except HTTPError as error:
            if error.code == 404:
                return None
            raise Unavailable(f"status {error.code}") from error
        except (OSError, HTTPException, ValueError, KeyError) as error:
            raise Unavailable(type(error).__name__) from error
