"""A client of the streaming interface with nothing but the standard library of Python.

Usage: streamClient.py WS_URL WAV_FILE, with the token in RXSCRIBE_TOKEN. Prints each message, then the close code.
"""

import base64
import hashlib
import os
import socket
import struct
import sys
import threading
import urllib.parse
import wave

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Client:
    def __init__(self, url, query):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=60)
        self.lock = threading.Lock()
        self.reader = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {address.path}?{urllib.parse.urlencode(query)} HTTP/1.1",
            f"Host: {address.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.reader.readline().decode().strip()
        headers = dict(line.decode().strip().split(": ", 1) for line in iter(self.reader.readline, b"\r\n"))
        if " 101 " not in status:
            sys.exit(status)
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        assert {name.lower(): value for name, value in headers.items()}[
            "sec-websocket-accept"
        ] == base64.b64encode(digest).decode()

    def send(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x80 | opcode, 0xFE, size)
        body = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        with self.lock:
            self.socket.sendall(head + mask + body)

    def receive(self):
        first, size = self.reader.read(2)
        if size >= 126:
            size = struct.unpack("!H" if size == 126 else "!Q", self.reader.read(2 if size == 126 else 8))[0]
        return first & 15, self.reader.read(size)


def stream(client, path):
    with wave.open(path) as audio:
        while frames := audio.readframes(1600):
            client.send(BINARY, frames)
    client.send(TEXT, b"EOS")


def main(url, path):
    with wave.open(path) as audio:
        content_type = f"audio/x-raw;layout=interleaved;rate={audio.getframerate()};format=S16LE;channels=1"
    query = {"access_token": os.environ["RXSCRIBE_TOKEN"], "content_type": content_type, "language": "en"}
    client = Client(url, query)
    threading.Thread(target=stream, args=(client, path), daemon=True).start()
    while True:
        opcode, payload = client.receive()
        if opcode == TEXT:
            print(payload.decode(), flush=True)
        elif opcode == PING:
            client.send(PONG, payload)
        elif opcode == CLOSE:
            client.send(CLOSE, payload)
            print(struct.unpack("!H", payload[:2])[0])
            return


main(*sys.argv[1:])
