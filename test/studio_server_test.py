# SPDX-License-Identifier: MIT
#
# studio_server_test.py: `resilin studio` as browsers, and those who mean it ill, see it.

import os
import re
import resource
import select
import socket
import threading
import time

from cli_support import SCRATCH, check, finish, scratch
from studio_support import HEADERS, SECRET, Studio, big, page, quick, receive, request, split

TYPES = {
    "index.html": "text/html; charset=utf-8", "a.js": "text/javascript; charset=utf-8", "a.mjs": "text/javascript; charset=utf-8",
    "a.css": "text/css; charset=utf-8", "a.json": "application/json", "a.js.map": "application/json", "a.wasm": "application/wasm",
    "a.webmanifest": "application/manifest+json", "a.svg": "image/svg+xml", "a.PNG": "image/png", "a.ico": "image/x-icon",
    "a.txt": "text/plain; charset=utf-8", "a.yaml": "text/yaml; charset=utf-8", "a.obj": "model/obj", "a.stl": "model/stl",
    "a.glb": "model/gltf-binary", "a.ply": "application/octet-stream", "plain": "application/octet-stream",
}

for name in TYPES:
    scratch("page/" + name, "this is " + name)
scratch("page/sub/deep er/b.js", "deep")
scratch("page/.hidden", SECRET)
scratch("page/.git/config", SECRET)
scratch("page/empty.txt", "")
scratch("page/a\\b.txt", SECRET)
scratch("page2/index.html", SECRET)
for link, target in [("out.txt", "../secret.txt"), ("in.txt", "a.txt"), ("folder", ".."), ("dangling", "nowhere")]:
    if not os.path.islink(scratch("page/" + link)):
        os.symlink(target, scratch("page/" + link))
if not os.path.exists(scratch("page/pipe")):
    os.mkfifo(scratch("page/pipe"))


def test_files(studio):
    for name, type_ in TYPES.items():
        status, headers, body = studio.ask("/" + name)
        text = ("this is " + name).encode()
        check(f"{name} is {type_}", status == 200 and headers.get("content-type") == type_ and body == text and
              headers.get("content-length") == str(len(text)), (status, headers, body))
    status, headers, body = studio.ask("/")
    check("/ is index.html", status == 200 and body == b"this is index.html", (status, headers, body))
    check("and html", headers.get("content-type") == TYPES["index.html"], headers)
    status, headers, body = studio.ask("/big.bin")
    check("a large file", status == 200 and body == big, (status, headers, len(body)))
    status, headers, body = studio.ask("/empty.txt")
    check("an empty file", status == 200 and body == b"" and headers.get("content-length") == "0", (status, headers))
    status, headers, body = studio.ask("/sub/deep%20er/b.js?v=3")
    check("a file in a folder, encoded, with a query", status == 200 and body == b"deep", (status, headers, body))
    status, headers, body = studio.ask("/big.bin", "HEAD")
    check("HEAD", status == 200 and body == b"" and headers.get("content-length") == str(len(big)), (status, headers))
    status, headers, body = studio.ask("/nothing", "HEAD")
    check("HEAD of nothing", status == 404 and body == b"" and int(headers.get("content-length", 0)) > 0, (status, headers, body))
    status, headers, body = studio.ask("http://localhost/a.txt")
    check("as a proxy is asked", status == 200 and body == b"this is a.txt", (status, body))


def test_headers(studio):
    for target, status in [("/", 200), ("/nothing", 404)]:
        got, headers, _ = studio.ask(target)
        wrong = [k for k, v in HEADERS.items() if headers.get(k) != v]
        policy = headers.get("content-security-policy", "")
        check(f"headers of {status}", got == status and not wrong and "date" in headers, (wrong, headers))
        check(f"policy of {status}", policy.startswith("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' "
                                                       "blob:; ") and "unsafe-eval'" not in policy.replace("wasm-unsafe-eval", "") and
              "*" not in policy and "http" not in policy, policy)
    for name, bytes_ in [("405", request("/", "PUT")), ("403", request("/", host="evil.example")), ("400", b"\r\r\n\r\n")]:
        status, headers, body = split(studio.talk(bytes_.replace(b"\r\nHost", b"\r\nConnection: close\r\nHost")))
        check(f"headers of {name}", str(status) == name and all(headers.get(k) == v for k, v in HEADERS.items()) and
              headers.get("content-length") == str(len(body)), (status, headers))


def test_nothing_else(studio):
    targets = ["/../secret.txt", "/sub/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E%2Fsecret.txt", "/..%2fsecret.txt",
               "/.%2e/secret.txt", "/..%5csecret.txt", "/sub%2f..%2f..%2fsecret.txt", "/%252e%252e/secret.txt", "/../page2/index.html",
               "//secret.txt", "//etc/passwd", "/%2fetc%2fpasswd", "/" + SCRATCH + "/secret.txt", "/./a.txt", "/sub/../a.txt",
               "/out.txt", "/in.txt", "/folder/secret.txt", "/folder", "/dangling", "/pipe", "/.hidden", "/.git/config", "/sub", "/sub/",
               "/a.txt/", "/a.txt/b", "/a%5cb.txt", "/index.html%20", "/index.html.", "/INDEX.html", "/" + "x" * 300, "/x" * 1500,
               "/%0a", "/%7f", "/scene/", "/scene/a.txt", "/scene/../a.txt", "/%ff%fe"]
    for target in targets:
        status, _, body = studio.ask(target)
        check(f"404: {target[:60]}", status == 404 and SECRET.encode() not in body and b"root:" not in body, (status, body[:100]))
    for target in ["/..\\secret.txt", "/%", "/%0", "/%zz", "/a.txt%00.html", "/%00", "a.txt", "*", "/a\x01", "/\xe4"]:
        status, _, body = studio.ask(target)
        check(f"400: {target!r}", status == 400, (status, body[:100]))


def test_connections(studio):
    with studio.connect() as c:
        sizes = []
        for target in ["/a.txt", "/nothing", "/a.js"]:
            c.sendall(request(target))
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += receive(c, 1) or b"\r\n\r\n"
            status, headers, _ = split(head)
            sizes.append((status, receive(c, int(headers.get("content-length", 0))), headers.get("connection")))
        check("keep-alive", sizes == [(200, b"this is a.txt", None), (404, b"404 Not Found\n", None), (200, b"this is a.js", None)], sizes)
    begun = time.monotonic()
    everything = studio.talk(request("/a.txt") + request("/big.bin", "HEAD") + request("/nothing") + request("/sub/deep%20er/b.js") +
                             request("/a.css", more="Connection: close\r\n") + request("/a.js"))
    statuses = re.findall(rb"HTTP/1.1 (\d+)", everything)
    check("requests one behind the other", statuses == [b"200", b"200", b"404", b"200", b"200"] and everything.endswith(b"this is a.css"),
          everything)
    many = studio.talk(request("/a.txt") * 2000 + request("/", more="Connection: close\r\n"))
    check("thousands of them", many.count(b"HTTP/1.1 200") == 2001 and many.count(b"this is a.txt") == 2000, len(many))
    check("without a wait", time.monotonic() - begun < 10, time.monotonic() - begun)
    pieces = request("/a.txt", more="Connection: close\r\n")
    with studio.connect() as c:
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(len(pieces)):
            c.sendall(pieces[i:i + 1])
        status, _, body = split(receive(c))
    check("byte by byte", status == 200 and body == b"this is a.txt", (status, body))
    answer = studio.talk(b"GET /a.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
    check("HTTP/1.0 is closed", split(answer)[0] == 200 and answer.endswith(b"this is a.txt"), answer)
    with studio.connect() as c:
        c.sendall(request("/a.txt"))
        c.shutdown(socket.SHUT_WR)
        status, _, body = split(receive(c))
    check("one that says no more is answered", status == 200 and body == b"this is a.txt", (status, body))


def test_refused(studio):
    status, headers, _ = studio.ask("/", "POST")
    check("405 with what is allowed", status == 405 and headers.get("allow") == "get, head", (status, headers))
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PROPFIND"]:
        status, _, _ = studio.ask("/", method)
        check(f"405: {method}", status == 405, status)
    for size in [100_000, 3_000_000]:
        with studio.connect() as c:
            try:
                c.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size)
            except OSError:
                pass
            time.sleep(0.2)
            answer = receive(c)
        check(f"a body of {size} does not undo the answer", split(answer)[0] == 405 and answer.endswith(b"Allowed\n"), answer[-200:])
    for name, bytes_ in [("a bare line", b"GET / HTTP/1.1\nHost: localhost\n\n"),
                         ("noise", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n"),
                         ("no host", b"GET / HTTP/1.1\r\n\r\n"),
                         ("two hosts", request("/", more="Host: localhost\r\n")),
                         ("a body", request("/", more="Content-Length: 1\r\n") + b"x"),
                         ("chunks", request("/", more="Transfer-Encoding: chunked\r\n")),
                         ("no version", b"GET /\r\n\r\n")]:
        status, headers, _ = split(studio.talk(bytes_ + request("/a.txt")))
        check(f"400 and the end: {name}", status == 400 and headers.get("connection") == "close", (status, headers))
    check("505", split(studio.talk(b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"))[0] == 505)
    check("414", split(studio.talk(b"GET /" + b"a" * 1_000_000))[0] == 414)
    check("431, one field", split(studio.talk(b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a" * 1_000_000))[0] == 431)
    check("431, many fields", split(studio.talk(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 100_000))[0] == 431)
    check("a long head that is still good", studio.ask("/a.txt", more="Cookie: " + "c" * 15_000 + "\r\n")[0] == 200)
    for host in ["localhost", "LOCALHOST:1", f"127.0.0.1:{studio.port}", "127.0.0.1", "[::1]", f"[::1]:{studio.port}"]:
        check(f"host {host}", studio.ask("/", host=host)[0] == 200)
    for host in ["evil.example", f"evil.example:{studio.port}", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.1",
                 "0.0.0.0", ""]:
        status, _, body = studio.ask("/", host=host)
        check(f"403: host {host!r}", status == 403 and b"this is" not in body, (status, body))
    check("403: as a proxy is asked", studio.ask("http://evil.example/", host="localhost")[0] == 403)


def test_slow(studio):
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        stalled.connect((studio.host, studio.port))
        stalled.settimeout(20)
        stalled.sendall(request("/big.bin", more="Connection: close\r\n"))
        time.sleep(0.2)
        first = receive(stalled, 1000)
        times = [quick(studio) for _ in range(5)]
        check("one who does not read holds nobody up", max(times) < 2, times)
        silent = [studio.connect() for _ in range(150)]
        times = [quick(studio) for _ in range(5)]
        check("nor do many who say nothing", max(times) < 2, times)
        rest = receive(stalled)
        check("who reads on gets the rest", split(first + rest)[2] == big, len(first + rest))
        gone = 0
        for c in silent:
            c.settimeout(0.01)
            try:
                gone += c.recv(1) == b""
            except TimeoutError:
                pass
            except OSError:
                gone += 1
            c.close()
        check("the first of them were sent away", 80 <= gone < 150, gone)


def send_slowly(connection):
    """A byte now and then, until the other end has had enough."""
    try:
        for _ in range(100):
            connection.sendall(b"E")
            time.sleep(0.25)
            if select.select([connection], [], [], 0)[0]:
                break
    except OSError:
        pass


def test_deadlines(studio, slow, begun):
    """Those of the beginning of the test: silent, half a request, one byte after the other."""
    answers = []
    for c in slow[:2]:
        c.settimeout(max(0.1, begun + 14 - time.monotonic()))
        answers.append(receive(c))
    waited = time.monotonic() - begun
    check("who says nothing is sent away", answers[0] == b"" and 8 < waited < 14, (answers[0], waited))
    check("half a request is answered by 408", split(answers[1])[0] == 408, answers[1])
    answer = receive(slow[2])
    check("so is a trickle", split(answer)[0] == 408, answer)
    check("others never knew", quick(studio) < 2 and studio.end() == 0, studio.said)


def test_few_descriptors():
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
    studio = Studio(preexec_fn=limit)
    silent = [studio.connect() for _ in range(60)]
    status = 0
    for _ in range(20):
        status = studio.ask("/a.txt")[0]
        if status == 200:
            break
        time.sleep(0.1)
    check("few descriptors", status == 200, status)
    for c in silent:
        c.close()
    check("few descriptors: the end", studio.end() == 0, studio.said)


patient, begun = Studio(), time.monotonic()
slow = [patient.connect() for _ in range(3)]
slow[1].sendall(b"GET / HTTP/1.1\r\nHost: local")
trickle = threading.Thread(target=send_slowly, args=(slow[2],))
trickle.start()
main = Studio()
check("it begins", re.fullmatch(r"http://127\.0\.0\.1:\d+/", main.url), main.url)
test_files(main)
test_headers(main)
test_nothing_else(main)
test_connections(main)
test_refused(main)
test_slow(main)
check("the end of it all", main.end() == 0 and main.said == "resilin: note: Ctrl-C ends it\n", main.said)
test_few_descriptors()
trickle.join()
test_deadlines(patient, slow, begun)
finish()
