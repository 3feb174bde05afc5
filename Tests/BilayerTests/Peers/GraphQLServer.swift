#if os(Linux)
/// Python's `graphql-core` behind its standard library's HTTP server: it follows GraphQL over HTTP, has persisted
/// queries, uploads, batches, subscriptions over server-sent events, and incremental delivery.
enum GraphQLServer {
    /// The program of the server.
    static let program = #"""
        import asyncio, email.parser, email.policy, hashlib, json, os, sys, urllib.parse
        sys.path.insert(0, sys.argv[1])
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from graphql import (build_schema, execute, subscribe, parse, validate, specified_rules, GraphQLError,
                             get_operation_ast, OperationType, GraphQLDeferDirective, GraphQLStreamDirective)
        from graphql.execution import experimental_execute_incrementally, ExperimentalIncrementalExecutionResults
        from inspect import isawaitable

        DIRECTIVES = """
          directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
          directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0) on FIELD
        """
        SDL = """
          scalar Long
          scalar Upload
          scalar Date
          type Hotel { name: String! }
          type City { name: String! }
          type Park { area: Float! }
          union Place = City | Park
          type Trip { id: ID!, name: String!, start: Date, distance: Long!, hotel: Hotel, guide: Hotel!, place: Place }
          type Query {
            trip(id: ID!, after: String = "default"): Trip
            trips: [Trip!]!
            numbers: [Int!]!
            echo(after: String = "default"): String
          }
          type Mutation { rename(id: ID!, name: String!): Trip!, upload(files: [Upload!]!): [String!]! }
          type Subscription { counted(to: Int!): Int! }
        """
        schema = build_schema(SDL)
        incremental_schema = build_schema(DIRECTIVES + SDL)

        class Trip:
            def __init__(self, id, name="Alps"):
                self.id, self.name = id, name
            start = "2026-07-01"
            distance = "9007199254740993"
            async def hotel(self, info):
                if self.id == "8":
                    raise GraphQLError("no room", extensions={"code": "FULL"})
                return {"name": "Edelweiss"} if self.id == "7" else None
            def guide(self, info): return {"name": "Ada"}
            def place(self, info):
                return {"__typename": "City", "name": "Bern"} if self.id == "7" else {"__typename": "Park", "area": 1.5}

        def digest(part):
            data = part.get_payload(decode=True)
            return part.get_filename() + " " + hashlib.sha256(data).hexdigest()

        class Root:
            def trip(self, info, id, after=None):
                if id == "missing": return None
                return Trip(id)
            def trips(self, info): return [Trip("1"), Trip("2")]
            async def numbers(self, info):
                for number in range(3): yield number
            def echo(self, info, after=None): return "null" if after is None else after
            def rename(self, info, id, name): return Trip(id, name)
            def upload(self, info, files): return [digest(file) for file in files]

        async def counted(info, to):
            for number in range(1, to + 1):
                yield {"counted": number}
        schema.subscription_type.fields["counted"].subscribe = lambda root, info, to: counted(info, to)

        documents = {}

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass

            def do_GET(self):
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query, strict_parsing=True))
                for name in ("variables", "extensions"):
                    if name in query: query[name] = json.loads(query[name])
                self.answer(query, False)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kind = self.headers.get_content_type()
                if kind == "multipart/form-data":
                    text = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + body
                    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(text)
                    parts = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}
                    parameters = json.loads(parts["operations"].get_payload(decode=True))
                    for name, paths in json.loads(parts["map"].get_payload(decode=True)).items():
                        for path in paths:
                            place, steps = parameters, path.split(".")
                            for step in steps[:-1]: place = place[int(step) if isinstance(place, list) else step]
                            last = int(steps[-1]) if isinstance(place, list) else steps[-1]
                            assert place[last] is None
                            place[last] = parts[name]
                    return self.answer(parameters, True)
                if kind != "application/json": return self.send(415, "text/plain", b"")
                parameters = json.loads(body)
                if isinstance(parameters, list):
                    results = [asyncio.run(self.result(one, True))[1] for one in parameters]
                    return self.send(200, "application/json", json.dumps(results).encode())
                self.answer(parameters, True)

            def answer(self, parameters, may_change):
                document = parameters.get("query")
                if document and "subscription" in document: return asyncio.run(self.events(parameters))
                if document and ("@defer" in document or "@stream" in document):
                    return asyncio.run(self.pieces(parameters))
                status, result = asyncio.run(self.result(parameters, may_change))
                accept = self.headers.get("Accept", "")
                if "application/graphql-response+json" in accept:
                    return self.send(status, "application/graphql-response+json", json.dumps(result).encode())
                self.send(200, "application/json", json.dumps(result).encode())

            async def result(self, parameters, may_change):
                def refuse(status, message, code=None):
                    error = {"message": message}
                    if code: error["extensions"] = {"code": code}
                    return status, {"errors": [error]}
                persisted = (parameters.get("extensions") or {}).get("persistedQuery")
                text = parameters.get("query")
                if persisted:
                    hash = persisted["sha256Hash"]
                    if text is None:
                        text = documents.get(hash)
                        if text is None:
                            return refuse(200, "PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
                    elif hashlib.sha256(text.encode()).hexdigest() != hash: return refuse(400, "wrong hash")
                    else: documents[hash] = text
                try: document = parse(text)
                except GraphQLError as error: return 400, {"errors": [error.formatted]}
                errors = validate(schema, document)
                if errors: return 400, {"errors": [error.formatted for error in errors]}
                operation = get_operation_ast(document, parameters.get("operationName"))
                if operation.operation == OperationType.MUTATION and not may_change:
                    return refuse(405, "a mutation by GET")
                result = execute(schema, document, Root(), variable_values=parameters.get("variables"),
                                 operation_name=parameters.get("operationName"))
                if isawaitable(result): result = await result
                formatted = dict(result.formatted)
                formatted["extensions"] = {"seen": parameters.get("extensions") or {}}
                return 200, formatted

            async def events(self, parameters):
                self.start("text/event-stream")
                result = subscribe(schema, parse(parameters["query"]), Root(), variable_values=parameters.get("variables"))
                if isawaitable(result): result = await result
                if hasattr(result, "__aiter__"):
                    async for each in result:
                        if isawaitable(each): each = await each
                        self.chunk("event: next\ndata: " + json.dumps(each.formatted) + "\n\n")
                else: self.chunk("event: next\ndata: " + json.dumps(result.formatted) + "\n\n")
                self.chunk("event: complete\ndata:\n\n")
                self.wfile.write(b"0\r\n\r\n")

            async def pieces(self, parameters):
                self.start('multipart/mixed; boundary="-"')
                def part(value):
                    self.chunk("\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n" + json.dumps(value))
                result = experimental_execute_incrementally(
                    incremental_schema, parse(parameters["query"]), Root(), variable_values=parameters.get("variables"))
                if isawaitable(result): result = await result
                if isinstance(result, ExperimentalIncrementalExecutionResults):
                    part(result.initial_result.formatted)
                    async for each in result.subsequent_results: part(each.formatted)
                else: part(dict(result.formatted, hasNext=False))
                self.chunk("\r\n-----\r\n")
                self.wfile.write(b"0\r\n\r\n")

            def start(self, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()

            def chunk(self, text):
                data = text.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()

            def send(self, status, kind, body):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        with open(sys.argv[2] + ".new", "w") as file: file.write(str(server.server_port))
        os.rename(sys.argv[2] + ".new", sys.argv[2])
        server.serve_forever()
        """#
}
#endif
