# SPDX-License-Identifier: MIT
#
# studio_support.py: `resilin studio` while it serves, and those who talk to it, byte by byte.

import os
import random
import re
import signal
import socket
import subprocess
import time
import urllib.parse

from cli_support import PROGRAM, SCRATCH, scratch

HEADERS = {
    "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff", "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
}
SECRET = "what nobody may read"

page = os.path.join(SCRATCH, "page")
for name in ["index.html", "a.txt"]:
    scratch("page/" + name, "this is " + name)
with open(scratch("page/big.bin"), "wb") as file:
    big = random.Random(1).randbytes(16_000_000)  # more than sockets hold
    file.write(big)
scratch("secret.txt", SECRET)


class Studio:
    """The program while it serves."""

    def __init__(self, *arguments, program=PROGRAM, page=page, port="0", **options):
        arguments = [program, "studio", *arguments] + (["--page", page] if page else []) + (["--port", port] if port else [])
        environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99", **options.pop("env", {}))
        self.process = subprocess.Popen(arguments, cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment, **options)
        self.url = self.process.stdout.readline().strip()
        if self.url:
            address = urllib.parse.urlsplit(self.url)
            self.host, self.port = address.hostname, address.port

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=20)

    def talk(self, bytes_):
        """Send bytes, return all that comes until the server ends the connection."""
        with self.connect() as connection:
            try:
                connection.sendall(bytes_)
            except OSError:
                pass  # it may have heard enough
            return receive(connection)

    def ask(self, target, method="GET", host="localhost", more=""):
        """One request; the status, the headers in lower case, the body."""
        return split(self.talk(request(target, method, host, "Connection: close\r\n" + more)))

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        try:
            out, self.said = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, self.said = self.process.communicate()
        return self.process.returncode


def request(target, method="GET", host="localhost", more=""):
    return f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode("latin-1")


def receive(connection, enough=None):
    parts, count = [], 0
    try:
        while enough is None or count < enough:
            part = connection.recv(65536 if enough is None else min(65536, enough - count))
            if not part:
                break
            parts.append(part)
            count += len(part)
    except OSError as error:
        parts.append(f"<{error}>".encode())
    return b"".join(parts)


def split(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    match = re.fullmatch(r"HTTP/1\.1 (\d{3}) [A-Za-z ]+", lines[0])
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return int(match[1]) if match else answer[:200], headers, body


def quick(studio):
    """The time that a small file takes; infinite when it does not come."""
    begun = time.monotonic()
    return time.monotonic() - begun if studio.ask("/a.txt")[2] == b"this is a.txt" else float("inf")
