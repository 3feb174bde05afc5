import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Parts that do not belong to the server's file, and parts that another download uses.
@Suite("Download: whose part it is", .timeLimit(.minutes(5)))
struct ForeignPartTests {
    /// A server without `If-Range`: its file has the length of the part, and another tag.
    @Test("a part that is as long as another file is not that file", arguments: ["\"2\"", nil])
    func anotherFileOfThatLength(tag: String?) async throws {
        let stub = StubTransport { request, _ in
            guard request.headers["Range"] == nil else {
                var fields: HTTPHeaders = ["Content-Range": "bytes */4"]
                fields["ETag"] = tag
                return HTTPResponse(status: 416, headers: fields, url: request.url)
            }
            return HTTPResponse(status: 200, headers: ["ETag": "\"2\""], body: Data("new!".utf8), url: request.url)
        }
        #expect(try await download(over: stub, after: "old!") == "new!")
        #expect(stub.requests.map { $0.headers["Range"] } == ["bytes=4-", nil])
    }

    /// The offsets of a compressed range count bytes of the compressed file.
    @Test("a range that is compressed is not joined to the part")
    func aCompressedRange() async throws {
        let stub = StubTransport { request, _ in
            guard request.headers["Range"] == nil else {
                let fields: HTTPHeaders = [
                    "Content-Range": "bytes 2-3/4", "ETag": "\"1\"", "Content-Encoding": "gzip",
                ]
                return HTTPResponse(status: 206, headers: fields, body: Data("XY".utf8), url: request.url)
            }
            return HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: Data("abcd".utf8), url: request.url)
        }
        #expect(try await download(over: stub, after: "ab") == "abcd")
    }

    /// A range is requested of the part's own file only.
    @Test(
        "a part of another file is no reason to send a request twice",
        arguments: [HTTPMethod.get, .post],
        [HTTPStatus(200), 201, 202, 204, 206, 416]
    )
    func aRequestOfAnotherFile(method: HTTPMethod, status: HTTPStatus) async throws {
        let stub = StubTransport { request, _ in
            HTTPResponse(status: status, body: Data(status == 204 ? "".utf8 : "new".utf8), url: request.url)
        }
        try await withFolder { folder in
            try leavePart("old!", in: folder)
            let client = Client(baseURL: URL("https://example.com"), transport: stub)
            let place = folder.appendingPathComponent("film.mp4")
            let route: Route<Void> = method == .get ? .get("export") : .post("export")
            let again = Reconnection.afterLoss(attempts: 3, firstWait: .zero)
            let download = client.download(route, to: place, resuming: true, reconnecting: again)
            if status.isSuccess, status != 206 {
                try await download.file()
                #expect(try Data(contentsOf: place).count == (status == 204 ? 0 : 3))
            } else {
                await #expect(throws: CallError.self) { try await download.file() }
            }
        }
        #expect(stub.requests.map { $0.headers["Range"] } == [nil])
    }

    @Test("a folder is no place for a file, which is an error before the request")
    func aFolder() async throws {
        let stub = StubTransport(.text("x"))
        try await withFolder { folder in
            let client = Client(baseURL: URL("https://example.com"), transport: stub)
            let error = await #expect(throws: CocoaError.self) {
                try await client.download(.get("film.mp4"), to: folder).file()
            }
            #expect(error?.code == .fileWriteFileExists && stub.requests.isEmpty)
        }
    }

    /// No download empties, replaces or takes the part of another one.
    @Test("parts that are made at once do not mix")
    func partsThatAreMadeAtOnce() async throws {
        try await withFolder { folder in
            for round in 0..<200 {
                let target = folder.appendingPathComponent("\(round)")
                let files = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            let part = try PartialFile(for: target, isKept: true)
                            let place = folder.appendingPathComponent("\(round)-\(number)")
                            for _ in 0..<2 { try part.append(Data("\(number)".utf8)) }
                            try part.move(to: place)
                            return String(decoding: try Data(contentsOf: place), as: UTF8.self)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try #require(files.sorted() == (0..<8).map { "\($0)\($0)" }, "round \(round)")
            }
        }
    }

    /// After a crash, the part of a download that does not resume remains. Its name is random, so no download uses it.
    @Test("the parts of downloads whose process has ended are removed by the first download of another process")
    func abandonedParts() async throws {
        try await withFolder { folder in
            func part(_ name: String, age: Double) throws -> URL {
                let url = folder.appendingPathComponent(name)
                try Data("film".utf8).write(to: url)
                let date = Date() - age
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
                return url
            }
            func unkept(_ name: String, age: Double) throws -> URL {
                try part(".\(name).\(UUID().uuidString).bilayer-download", age: age)
            }
            let old = try [unkept("film.mp4", age: 7_200), unkept("other", age: 86_400)]
            let kept = try [
                unkept("film.mp4", age: 60), part(".film.mp4.own.bilayer-download", age: 7_200),
                // A file of another downloader.
                part(".film.mp4.\(UUID().uuidString).download", age: 7_200),
                // The kept part of a file whose name ends in an identifier.
                part(".film.mp4.\(UUID().uuidString).part", age: 7_200), part("film.mp4.bilayer-download", age: 7_200),
            ]
            // The part of another download, which is in use.
            let used = try unkept("film.mp4", age: 7_200)
            let handle = try FileHandle(forUpdating: used)
            #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
            let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.text("new")))
            let target = folder.appendingPathComponent("film.mp4")
            try await client.download(.get("film.mp4"), to: target).file()
            #expect(try Data(contentsOf: target) == Data("new".utf8))
            for url in old { #expect(!FileManager.default.fileExists(atPath: url.path), "\(url.lastPathComponent)") }
            for url in kept + [used] {
                #expect(FileManager.default.fileExists(atPath: url.path), "\(url.lastPathComponent)")
            }
            try handle.close()
        }
    }

    /// In a folder that others can write to, a link may lead anywhere.
    @Test("a link in the place of the part is not followed")
    func aLink() async throws {
        try await withFolder { folder in
            let other = folder.appendingPathComponent("other")
            try Data("kept".utf8).write(to: other)
            let part = folder.appendingPathComponent(".film.mp4.part")
            try FileManager.default.createSymbolicLink(at: part, withDestinationURL: other)
            let client = Client(baseURL: URL("https://example.com"), transport: StubTransport(.text("film")))
            let place = folder.appendingPathComponent("film.mp4")
            try await client.download(.get("film.mp4"), to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Data("film".utf8))
            #expect(try Data(contentsOf: other) == Data("kept".utf8))
        }
    }

    /// Ranges are for `GET` only (RFC 9110 §14.2): the response depends on the body, and its tag may not.
    @Test("the part of a request with a body is not continued by one with another body")
    func anotherBody() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/report") { request in
            if request.bodyText == "B" { return .resource(Data(repeating: 66, count: 100), to: request, eTag: "\"1\"") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n"
            return Reply(.head(head), .body(Data(repeating: 65, count: 40)), .close)
        }
        try await withFolder { folder in
            let place = folder.appendingPathComponent("report")
            func route(_ text: String) -> Route<Void> { .post("report", body: .text(text)) }
            let client = Client(baseURL: server.url)
            await #expect(throws: CallError.self) {
                try await client.download(route("A"), to: place, resuming: true).file()
            }
            try await client.download(route("B"), to: place, resuming: true).file()
            #expect(try Data(contentsOf: place) == Data(repeating: 66, count: 100))
            #expect(server.requests.map { $0.headers["Range"] } == [nil, nil])
        }
        let request = HTTPRequest(url: server.url, body: .data(Data("A".utf8)))
        let response = HTTPResponse(status: 200, headers: ["ETag": "\"1\""])
        #expect(EntityValidator(response, of: DownloadRequest(request, in: CallContext())) == nil)
    }

    /// From a digest, a short password can be guessed. So nobody else can read the digest, and two files have different
    /// digests of one password.
    @Test("only their user can read the part and what says whose it is")
    func permissions() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/film.mp4") { request in
            if request.number > 1 { return .resource(Data(repeating: 65, count: 100), to: request, eTag: "\"1\"") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nETag: \"1\"\r\n\r\n"
            return Reply(.head(head), .body(Data(repeating: 65, count: 40)), .close)
        }
        var client = Client(baseURL: server.url)
        client.headers[.authorization] = "Basic YWRhOjEyMzQ="
        try await withFolder { folder in
            func permissions(_ name: String) throws -> Int? {
                let path = folder.appendingPathComponent(name).path
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            for name in ["a", "b"] {
                let place = folder.appendingPathComponent(name)
                _ = try? await client.download(.get("film.mp4"), to: place, resuming: true).file()
                #expect(try permissions(".\(name).part") == 0o600)
                #expect(try permissions(".\(name).validator") == 0o600)
            }
            let lines = try ["a", "b"]
                .map { name in
                    try String(contentsOf: folder.appendingPathComponent(".\(name).validator"), encoding: .utf8)
                        .split(separator: "\n").filter { $0.count > 30 && !$0.contains(",") }
                }
            #expect(lines[0].count > 1 && Set(lines[0]).isDisjoint(with: lines[1]))
            // A complete file has the permissions of any new file.
            try await client.download(.get("film.mp4"), to: folder.appendingPathComponent("a"), resuming: true).file()
            try await client.download(.get("film.mp4"), to: folder.appendingPathComponent("c")).file()
            #expect(FileManager.default.createFile(atPath: folder.appendingPathComponent("new").path, contents: nil))
            #expect(try permissions("a") == permissions("new") && permissions("c") == permissions("new"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(left == [".b.part", ".b.validator", "a", "c", "new"])
        }
    }

    /// Leaves a part as an earlier download does.
    private func leavePart(_ part: String, in folder: URL) throws {
        try Data(part.utf8).write(to: folder.appendingPathComponent(".film.mp4.part"))
        let request = DownloadRequest(HTTPRequest(url: URL("https://example.com/film.mp4")), in: CallContext())
        let first = HTTPResponse(status: 200, headers: ["ETag": "\"1\"", .contentLength: "4"])
        let note = try #require(EntityValidator(first, of: request)).note
        try Data(note.utf8).write(to: folder.appendingPathComponent(".film.mp4.validator"))
    }

    /// Downloads a file of which an earlier download has left a part.
    private func download(over stub: StubTransport, after part: String) async throws -> String {
        var file = ""
        try await withFolder { folder in
            try leavePart(part, in: folder)
            let client = Client(baseURL: URL("https://example.com"), transport: stub)
            let place = folder.appendingPathComponent("film.mp4")
            try await client.download(.get("film.mp4"), to: place, resuming: true).file()
            file = String(decoding: try Data(contentsOf: place), as: UTF8.self)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["film.mp4"])
        }
        return file
    }
}
