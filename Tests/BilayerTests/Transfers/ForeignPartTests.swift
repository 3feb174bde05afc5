import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Parts that are not those of the server's file, and files that another download has.
@Suite("Download: whose part it is", .timeLimit(.minutes(5)))
struct ForeignPartTests {
    /// A server without `If-Range`: its file has the length of the part, and another tag.
    @Test("a part that is as long as another file is not that file")
    func anotherFileOfThatLength() async throws {
        let stub = StubTransport { request, _ in
            guard request.headers["Range"] == nil else {
                let fields: HTTPHeaders = ["Content-Range": "bytes */4", "ETag": "\"2\""]
                return HTTPResponse(status: 416, headers: fields, url: request.url)
            }
            return HTTPResponse(status: 200, headers: ["ETag": "\"2\""], body: Data("new!".utf8), url: request.url)
        }
        #expect(try await download(over: stub, after: "old!") == "new!")
        #expect(stub.requests.map { $0.headers["Range"] } == ["bytes=4-", nil])
    }

    /// Its bytes are counted in the compressed file.
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

    /// Neither is emptied, replaced or taken by the others, which have parts of their own.
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

    /// In a folder that others can write to, it may lead anywhere.
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

    /// Downloads a file of which an earlier download has left a part.
    private func download(over stub: StubTransport, after part: String) async throws -> String {
        var file = ""
        try await withFolder { folder in
            try Data(part.utf8).write(to: folder.appendingPathComponent(".film.mp4.part"))
            let address = String(stableHash(of: "https://example.com/film.mp4".utf8), radix: 16)
            let fields = ["accept", "accept-language", "authorization", "cookie"]
            let variant = CacheVariant.digest(of: HTTPRequest(url: URL("https://example.com")), fields: fields)
            let names = fields.joined(separator: ",")
            let note = [address, "\"1\"", address, "4", names, variant, "", "\"1\"", ""].joined(separator: "\n")
            try Data(note.utf8).write(to: folder.appendingPathComponent(".film.mp4.validator"))
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
