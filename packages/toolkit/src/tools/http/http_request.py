"""One HTTP request, told as JSON on stdin; what came of it is JSON on stdout. Standard library only."""

import base64
import http.client
import json
import os
import socket
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request
import zlib

CHUNK_BYTES = 64 * 1024
SECRET_HEADERS = {"authorization", "cookie", "proxy-authorization"}
REDIRECTS = {301, 302, 303, 307, 308}


class AnyStatus(urllib.request.HTTPErrorProcessor):
    """Every status is an answer, and redirects are followed below."""

    def http_response(self, request, response):
        return response

    https_response = http_response


def main(order):
    try:
        answer(order)
    except Failure as failure:
        print(json.dumps({"failure": failure.kind, "message": str(failure)}))


class Failure(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def answer(order):
    method, url, headers = order["method"], order["url"], dict(order["headers"])
    body = None if order["body"] is None else base64.b64decode(order["body"])
    visited = []
    while True:
        response = ask(method, url, headers, body, order["timeout"])
        location = response.headers.get("location")
        if response.status not in REDIRECTS or location is None or len(visited) >= order["max_redirects"]:
            break
        response.close()
        target = urllib.parse.urljoin(url, quote(location))
        if urllib.parse.urlsplit(target).scheme not in ("http", "https"):
            raise Failure("bad_redirect", f"the answer leads to {target[:200]}, which is no web address")
        if urllib.parse.urlsplit(target).netloc != urllib.parse.urlsplit(url).netloc:
            headers = {name: value for name, value in headers.items() if name.lower() not in SECRET_HEADERS}
        if response.status == 303 or (response.status in (301, 302) and method == "POST"):
            method, body = ("HEAD" if method == "HEAD" else "GET"), None
            headers = {name: value for name, value in headers.items() if not name.lower().startswith("content-")}
        visited.append(url)
        url = target
    told = {"status": response.status, "reason": response.reason or "", "url": url, "redirects": len(visited)}
    told["headers"] = [[name.lower(), value] for name, value in response.headers.items()]
    refusal = response.status in (403, 429, 502) and response.headers.get("x-atoll-refusal")
    told.update(keep(response, order["save_to"]) if order["save_to"] and not refusal else read(response, order["max_bytes"]))
    if refusal:
        raise Failure("refused", base64.b64decode(told["body"]).decode("utf-8", "replace").removeprefix("atoll: ").strip())
    print(json.dumps(told))


def ask(method, url, headers, body, timeout):
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https" and parts.port in (None, 443) and parts.hostname in with_credential():
        url = urllib.parse.urlunsplit(parts._replace(scheme="http", netloc=parts.hostname))
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        return urllib.request.build_opener(AnyStatus()).open(request, timeout=timeout)
    except urllib.error.URLError as error:
        raise explain(error.reason, parts.netloc, timeout) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise explain(error, parts.netloc, timeout) from error


def with_credential():
    """To these hosts the proxy on the host adds a credential and speaks TLS."""
    return set(filter(None, os.environ.get("ATOLL_CREDENTIAL_HOSTS", "").split(",")))


def explain(error, place, timeout):
    text = str(error)
    if isinstance(error, ssl.SSLError):
        return Failure("tls", f"{place}: {text}")
    if isinstance(error, TimeoutError):
        return Failure("timeout", f"{place} did not answer within {timeout:g} s")
    if "Tunnel connection failed: 403" in text:
        return Failure("refused", f"the network policy of this sandbox does not allow {place}")
    if "Tunnel connection failed: 429" in text:
        return Failure("refused", "this sandbox has used the network as much as it may for now")
    if "Tunnel connection failed" in text:
        return Failure("unreachable", f"{place} cannot be reached")
    if not os.environ.get("http_proxy") and isinstance(error, socket.gaierror):
        return Failure("no_network", "this sandbox has no network")
    return Failure("unreachable", f"{place} cannot be reached: {text}")


def quote(location):
    return urllib.parse.quote(location.encode("latin-1", "replace"), safe="%/:=&?~#+!$,;'@()*[]")


def pieces(response):
    """The body as it is meant, unpacked where it came packed."""
    unpack = None
    if response.headers.get("content-encoding", "").lower() in ("gzip", "deflate"):
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        while piece := response.read(CHUNK_BYTES):
            while unpack and piece:
                yield unpack.decompress(piece, CHUNK_BYTES)
                piece = unpack.unconsumed_tail
            if piece:
                yield piece
    except (OSError, http.client.HTTPException, zlib.error) as error:
        raise Failure("cut", f"the answer broke off: {error}") from error
    if response.length:
        raise Failure("cut", f"the answer broke off: {response.length} bytes are missing")


def read(response, max_bytes):
    body = bytearray()
    for piece in pieces(response):
        body += piece
        if len(body) > max_bytes:
            break
    return {"body": base64.b64encode(body[:max_bytes]).decode(), "is_cut": len(body) > max_bytes}


def keep(response, path):
    size = 0
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(f"{path}.part", "wb") as file:
            for piece in pieces(response):
                size += file.write(piece)
        os.replace(f"{path}.part", path)
    except OSError as error:
        raise Failure("file", f"{path}: {error.strerror}") from error
    finally:
        if os.path.exists(f"{path}.part"):
            os.unlink(f"{path}.part")
    return {"saved_bytes": size}


main(json.load(sys.stdin))
