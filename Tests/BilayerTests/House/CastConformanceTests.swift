import Foundation
import Testing

/// The linker takes from an archive only the files whose symbols are needed. A conformance that only a cast finds has
/// no symbol that other code needs. Without its file, nested lists would not be salvaged, for example.
@Suite("Conformances that are found by casts")
struct CastConformanceTests {
    /// Protocols in the sources that values are cast to, or by which the standard library prints values.
    private static let protocols = [
        "AcceptsTextIdentifiers", "AnyDecodingAttempt", "AttemptIdentified", "CheckedKey", "CheckedKeyDictionary",
        "ChecksUnknownKeys", "CustomReflectable", "DirectlyDecodable", "DirectlyEncodable", "ErrorSearchable",
        "FaultNaming", "FormattedProperty", "Headlined", "IndexReadable", "IssueSource", "KeyedContainerType",
        "ListType", "MakesContext", "MapsJson", "NodeDescribing", "OptionalValue", "PathCodingKey",
        "PlaceholderCollection", "PlaceholderMaking", "ReadsGraphQLResponse", "Redacted", "ReplaceableError",
        "SalvagedCollection", "SendsForUser", "StoragePolicy", "StringKeyedDictionary",
        "StringKeyedEncodableDictionary", "TolerantDecoder", "UndeclaredKey", "UnsentRequestError",
        "UsesStoredResponses", "WrappingDecoder", "WrappingType",
    ]

    /// Protocols whose conformances only save steps: without them the result is the same.
    private static let shortcuts = ["JsonWritable"]

    /// Files that are linked for another reason whenever the cast can succeed.
    private static let exceptions = [
        "DecodingContext+Values": "decodes every value", "EncodingContext+Values": "encodes every value",
        "ValueDecoder+Decoder": "makes the decoder a Decoder", "Salvaging": "is the tolerance of every salvaging",
        "Open+Keys": "makes the open enum a key",
    ]

    @Test("they are in the file of the type or of the protocol")
    func placed() throws {
        var found = 0
        for file in try sources() {
            let name = file.deletingPathExtension().lastPathComponent
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?m)^extension ([\w.]+): ([^{]*)\{/) {
                let type = match.1.split(separator: ".").last.map(String.init) ?? ""
                let conformances = match.2.components(separatedBy: " where")[0].split(separator: ",")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                for conformance in conformances where Self.protocols.contains(conformance) {
                    found += 1
                    let isHome =
                        try text.contains(Regex("(struct|class|enum|actor) \(type)\\b"))
                        || text.contains(Regex("protocol \(conformance)\\b"))
                    #expect(
                        isHome || Self.exceptions[name] != nil,
                        "\(name).swift makes \(type) \(conformance), far from both"
                    )
                }
            }
        }
        #expect(found > 100)
    }

    @Test("every protocol of the library in a cast is known here")
    func known() throws {
        let texts = try sources().map { try String(contentsOf: $0, encoding: .utf8) }
        let declared = Set(texts.flatMap { $0.matches(of: /\bprotocol (\w+)/).map { String($0.1) } })
        let cast = Set(texts.flatMap { $0.matches(of: /\b(?:as\?|is) \(?any (\w+)/).map { String($0.1) } })
        let unknown = cast.intersection(declared).subtracting(Self.protocols).subtracting(Self.shortcuts)
        #expect(unknown == [])
        #expect(cast.intersection(Self.protocols).count > 20)
    }
}

/// The files of the library.
private func sources() throws -> [URL] {
    let folder = Compiler.repository.appending(path: "Sources/Bilayer")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
}

// The suite needs a platform where a process can start another one, and a build with one object for each file.
#if os(Linux)
/// A program of an app, linked with an archive of the library's objects.
@Suite("Linked from a static archive", .timeLimit(.minutes(5)))
struct StaticArchiveTests {
    private static let program = ##"""
        import Bilayer
        import Foundation

        struct Tag: Codable { let n: Int }
        struct Row: Codable { let tags: [Tag]; let more: [String: Tag]; let best: Tag? }
        struct RowsEntry: Codable, RawMappable { let rows: [Row] }

        let bad = #"{"n":1},{"n":"x"}"#
        let text = #"{"rows":[{"tags":[\#(bad)],"more":{"a":{"n":1},"b":{"n":"x"}},"best":{"n":"x"}}]}"#
        let json = try Json(parsing: Data(text.utf8))
        let rows = try CallContext(mapping: .salvaging).mapping { try RowsEntry.from(raw: json) }.rows
        print(rows[0].tags.count, rows[0].more.count, rows[0].best as Any)
        do {
            _ = try CallContext(mapping: .collectingAll()).mapping { try RowsEntry.from(raw: json) }
        } catch {
            print((error as? MappingError)?.issues.count as Any)
        }
        let client: Any = Client(baseURL: URL(string: "https://user:secret@example.com/")!)
        let route: Any = Route<RowsEntry>.get("rows/{id}", ["id": "secret"], headers: ["Authorization": "secret"])
        print(client, route)
        """##

    @Test("nested collections are salvaged, all errors are collected, and descriptions have no secrets")
    func archive() async throws {
        let objects = try Compiler.modules().deletingLastPathComponent().appending(path: "Bilayer.build")
        // A build does not delete the objects of source files that no longer exist.
        let names = Set(try sources().map { $0.lastPathComponent + ".o" })
        let files = try FileManager.default.contentsOfDirectory(at: objects, includingPropertiesForKeys: nil)
            .filter { names.contains($0.lastPathComponent) }
        try #require(files.count > 100)
        try await Compiler.inTemporaryFolder { folder in
            let archive = folder.appending(path: "libBilayer.a").path
            #expect(try ChildProcess.run(["/usr/bin/env", "ar", "rcs", archive] + files.map(\.path)).status == 0)
            let main = folder.appending(path: "main.swift")
            try Data(Self.program.utf8).write(to: main)
            let app = folder.appending(path: "app").path
            let linked = try Compiler.run(
                ["-swift-version", "6", main.path, "-L", folder.path, "-lBilayer", "-lFoundationNetworking"]
                    + ["-lswiftSynchronization", "-lz", "-o", app]
            )
            try #require(linked.status == 0, "\(linked.output)")
            let output = String(decoding: try ChildProcess.run([app]).output, as: UTF8.self)
            #expect(output == "1 1 nil\nOptional(3)\nClient(https://example.com/) GET rows/{id} -> RowsEntry\n")
        }
    }
}
#endif
