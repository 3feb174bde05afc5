#if os(Linux)
/// Python's `websockets`, and beside it a server that sends any bytes after its handshake.
enum WebSocketServer {
    /// The program of the server. Its paths say what it does:
    ///
    /// - `/echo` sends back each message; a text that begins with `close` closes with the code after it.
    /// - `/fragments/N` sends each message back in fragments of N bytes.
    /// - `/count/N` sends N messages and closes.
    /// - `/refuse` answers 401.
    /// - `/flood` sends 200,000 pings, then `done`.
    /// - `/pings` sends pings until it has ten pongs, then `10 pongs`.
    /// - `/graphql` counts for a subscription by `graphql-transport-ws`.
    /// - `/said` sends a text for each connection that has ended: the close code and the reason, or `gone HEX` for one
    ///   that `stay` has kept open.
    ///
    /// At the second port, `/raw/HEX/END` opens a connection, sends the bytes, and ends it by `close` or `reset`. With
    /// `stay`, the connection stays open until the client ends it.
    static let program = #"""
        import base64, hashlib, json, os, socket, socketserver, struct, sys, threading, time
        sys.path.insert(0, sys.argv[1])
        from websockets.sync.server import serve
        from websockets.exceptions import ConnectionClosed

        codes = []

        def handle(ws):
            parts = ws.request.path.strip("/").split("/")
            try:
                if parts[0] == "echo":
                    for message in ws:
                        if isinstance(message, str) and message.startswith("close"):
                            ws.close(int(message[5:9]), message[9:])
                            return
                        ws.send(message)
                elif parts[0] == "fragments":
                    size = int(parts[1])
                    for message in ws:
                        ws.send([message[i:i + size] for i in range(0, len(message), size)])
                elif parts[0] == "count":
                    for number in range(int(parts[1])):
                        ws.send("%d %s" % (number, "x" * 1000))
                elif parts[0] == "flood":
                    raw = ws.socket
                    for _ in range(2000):
                        raw.sendall(b"".join(b"\x89\x7d" + b"x" * 125 for _ in range(100)))
                    ws.send("done")
                    ws.recv()
                elif parts[0] == "pings":
                    for _ in range(10):
                        ws.ping().wait()
                    ws.send("10 pongs")
                    ws.recv()
                elif parts[0] == "graphql":
                    init = json.loads(ws.recv())
                    ws.send(json.dumps({"type": "connection_ack"}))
                    subscribe = json.loads(ws.recv())
                    for number in range(subscribe["payload"]["variables"]["to"]):
                        data = {"data": {"counted": number + 1, "token": init["payload"]["token"]}}
                        ws.send(json.dumps({"id": subscribe["id"], "type": "next", "payload": data}))
                    ws.send(json.dumps({"id": subscribe["id"], "type": "complete"}))
                    ws.recv()
                elif parts[0] == "said":
                    for code in codes:
                        ws.send(code)
            except ConnectionClosed:
                pass
            finally:
                codes.append("%s %s" % (ws.close_code, ws.close_reason))

        def process(ws, request):
            if request.path == "/refuse":
                return ws.respond(401, "who are you\n")

        class Raw(socketserver.BaseRequestHandler):
            def handle(self):
                head = b""
                while b"\r\n\r\n" not in head:
                    part = self.request.recv(65536)
                    if not part:
                        return
                    head += part
                path = head.split(b" ")[1].decode()
                key = [l.split(b":", 1)[1].strip() for l in head.split(b"\r\n") if l.lower().startswith(b"sec-websocket-key")][0]
                accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
                _, _, data, end = path.split("/")
                self.request.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                     b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + bytes.fromhex(data))
                if end == "reset":
                    self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                elif end == "stay":
                    try:
                        while self.request.recv(65536):
                            pass
                    except OSError:
                        pass
                    codes.append("gone " + data)
                self.request.close()

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 128

        raw = Server(("127.0.0.1", 0), Raw)
        threading.Thread(target=raw.serve_forever, daemon=True).start()
        def choose(ws, offered):
            known = ("chat.v1", "chat.v2", "graphql-transport-ws")
            return next((name for name in offered if name in known), None)

        with serve(handle, "127.0.0.1", 0, process_request=process, select_subprotocol=choose, max_size=None,
                   close_timeout=5) as server:
            with open(sys.argv[2] + ".new", "w") as file:
                file.write("%d %d" % (server.socket.getsockname()[1], raw.server_address[1]))
            os.rename(sys.argv[2] + ".new", sys.argv[2])
            server.serve_forever()
        """#
}
#endif
