import Bilayer
import BilayerTesting
import Foundation
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite("A path that leads to no regular file", .timeLimit(.minutes(5)))
struct IrregularFileTests {
    /// What a test puts at a path.
    enum Kind: String, CaseIterable {
        case pipe = "a pipe"
        case device = "a device"
        case folder = "a folder"

        /// Makes the thing in a folder, and returns its URL.
        func make(in folder: URL) throws -> URL {
            switch self {
            case .pipe: return try makePipe(at: folder.appendingPathComponent("pipe"))
            case .device: return URL(fileURLWithPath: "/dev/zero")
            case .folder: return folder
            }
        }
    }

    @Test("is an error at once when the body is read", arguments: Kind.allCases)
    func body(_ kind: Kind) async throws {
        try await withFolder { folder in
            let body = HTTPBody.file(at: try kind.make(in: folder))
            #expect(body.length == nil)
            let error = await #expect(throws: TransportError.self) { try await body.collected() }
            #expect(error?.kind == .bodyUnavailable)
            #expect(error?.detail == "found \(kind.rawValue), expected a regular file")
        }
    }

    @Test("is an error of an upload, and other calls go on", arguments: BuiltInTransport.allCases, Kind.allCases)
    func upload(by choice: BuiltInTransport, of kind: Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/film", .json("1"))
        server.on(.get, "/list", .json("2"))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        try await withFolder { folder in
            let url = try kind.make(in: folder)
            // More uploads than threads on a machine of up to 15 processors: if each blocked one, the other call would
            // never end.
            let uploads = (0..<16)
                .map { _ in
                    Task { try await client.fetch(Route<Json>.put("film", body: .file(at: url))) }
                }
            #expect(try await client.fetch(Route<Json>.get("list")) == 2)
            for upload in uploads {
                let error = await #expect(throws: CallError.self) { try await upload.value }
                let fault = error?.underlyingError as? TransportError
                #expect(fault?.kind == .bodyUnavailable)
                #expect(fault?.detail == "found \(kind.rawValue), expected a regular file")
            }
            #expect(server.requests.allSatisfy { $0.method == .get })
        }
    }

    @Test("is an error of a form with it", arguments: BuiltInTransport.allCases, Kind.allCases)
    func form(by choice: BuiltInTransport, with kind: Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/films", .json("1"))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        try await withFolder { folder in
            let form = Multipart().adding(file: try kind.make(in: folder), name: "film")
            let error = await #expect(throws: CallError.self) {
                try await client.fetch(Route<Json>.post("films", body: .multipart(form)))
            }
            let fault = error?.underlyingError as? TransportError
            #expect(fault?.kind == .bodyUnavailable)
            #expect(fault?.detail == "found \(kind.rawValue), expected a regular file")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("is not waited for by a recording transport and by a recording")
    func recording() async throws {
        try await withFolder { folder in
            let url = try Kind.pipe.make(in: folder)
            let recorder = RecordingTransport(StubTransport(.json("1")))
            _ = try await recorder.process(
                HTTPRequest(method: .put, url: URL("https://example.com/film"), body: .file(at: url)),
                in: CallContext()
            )
            #expect(recorder.exchanges.count == 1)
            #expect(throws: (any Error).self) { try Recording(contentsOf: url) }
        }
    }

    @Test("in place of the files of a part does not stop a download")
    func download() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/film", .text("0123456789"))
        let client = Client(baseURL: server.url)
        try await withFolder { folder in
            for names in [[".film.part"], [".film.validator"], [".film.part", ".film.validator"]] {
                for name in names { _ = try makePipe(at: folder.appendingPathComponent(name)) }
                let film = folder.appendingPathComponent("film")
                _ = try await client.download(.get("film"), to: film, resuming: true).file()
                #expect(try Data(contentsOf: film) == Data("0123456789".utf8))
                for name in names { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
            }
        }
    }

    #if os(Linux)
    @Test("in place of the authorities is an error, and other exchanges go on")
    func authorities() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/list", .json("2"))
        try await withFolder { folder in
            var settings = CurlSettings()
            settings.tls.authorityFile = try Kind.pipe.make(in: folder).path
            let transport = try CurlTransport(settings)
            let secure = try #require(URL(string: "https://127.0.0.1:\(server.url.port ?? 0)/list"))
            let error = await #expect(throws: TransportError.self) {
                try await transport.process(HTTPRequest(url: secure))
            }
            #expect(error?.kind == .secureConnectionFailed)
            let found = "found a pipe in place of a certificate or a key, expected a regular file"
            #expect(error?.detail == found)
            let response = try await transport.process(
                HTTPRequest(url: server.url.appendingPathComponent("list"))
            )
            #expect(response.status == 200)
        }
    }
    #endif

    @Test("does not include a symbolic link to a regular file", arguments: BuiltInTransport.allCases)
    func link(by choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/film", .json("1"))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        try await withFolder { folder in
            let (film, link) = (folder.appendingPathComponent("film"), folder.appendingPathComponent("link"))
            try Data(repeating: 7, count: 100_000).write(to: film)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: film)
            #expect(HTTPBody.file(at: link).length == 100_000)
            _ = try await client.fetch(Route<Json>.put("film", body: .file(at: link)))
            #expect(server.requests.first?.body.count == 100_000)
        }
    }
}

/// Makes a pipe that nobody writes to.
private func makePipe(at url: URL) throws -> URL {
    // Bound: the path is a text with a zero byte at its end.
    guard unsafe mkfifo(url.path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return url
}
