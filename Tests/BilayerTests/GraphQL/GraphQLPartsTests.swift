import Foundation
import Testing

@testable import Bilayer

@Suite("GraphQL: documents, hashes, parts of a stream")
struct GraphQLPartsTests {
    @Test(
        "the kind and the name are those of the first operation",
        arguments: [
            ("{ a }", GraphQLOperationKind.query, nil),
            ("query { a }", .query, nil), ("query A($b: [Int!]! = 3) @c { a }", .query, "A"),
            ("# query No {\nmutation ,\u{FEFF} B{a}", .mutation, nil),
            ("# query No {\nmutation ,\n B{a}", .mutation, "B"), ("query # A\r\n # B\n C { a }", .query, "C"),
            ("fragment query on Trip { mutation: a(b: \"query X\") } subscription S { a }", .subscription, "S"),
            ("\"\"\"mutation \\\"\"\" X\"\"\" query Described { a }", .query, "Described"),
            ("query Q { a(b: \"}\\\"{\") } mutation M { b }", .query, "Q"), ("", .query, nil), ("\"", .query, nil),
            ("fragment F", .query, nil), ("}}}} query Q {", .query, nil),
        ] as [(String, GraphQLOperationKind, String?)]
    )
    func kindAndName(document: String, kind: GraphQLOperationKind, name: String?) {
        let head = OperationHead(of: document)
        #expect(head.kind == kind)
        #expect(head.name == name)
    }

    @Test(
        "the variables are those that the first operation defines",
        arguments: [
            ("query A($id: ID!, $first : Int = 3 $after: String) { a(x: $y) }", ["id", "first", "after"]),
            ("query ($a: [In!]! = [{b: \")$c\"}] # $d\n, $ e: F) @on(x: $g) { a }", ["a", "e"]),
            ("query A { a(b: $c) }", []), ("{ a(b: $c) }", []), ("mutation($", []), ("query A(", []), ("query", []),
        ] as [(String, [String])]
    )
    func variables(document: String, names: [String]) { #expect(OperationHead(of: document).variables == names) }

    @Test("events before one that is too large are delivered")
    func eventsBeforeALargeOne() throws {
        var results = GraphQLResults(maximumBytes: 64)
        try results.begin(HTTPResponse(status: 200, headers: [.contentType: "text/event-stream"]))
        let large = String(repeating: "a", count: 100)
        let text = "event: next\ndata: {\"data\":{}}\n\nevent: next\ndata: {\"data\":\"\(large)\"}\n\n"
        var found: [StreamedElement] = []
        #expect(throws: StreamFormatError.self) { try results.append(Data(text.utf8), to: &found) }
        #expect(found.map(\.body) == [Data(#"{"data":{}}"#.utf8)])
    }

    @Test("parts before one that is too large are delivered, and a missing last delimiter is a lost connection")
    func partsBeforeALargeOne() throws {
        var results = GraphQLResults(maximumBytes: 64)
        let head = HTTPResponse(status: 200, headers: [.contentType: "multipart/mixed; boundary=-"])
        try results.begin(head)
        let part = "\r\n---\r\nContent-Type: application/json\r\n\r\n"
        let (small, large) = (#"{"data":{}}"#, String(repeating: "a", count: 200))
        var found: [StreamedElement] = []
        #expect(throws: StreamFormatError.self) {
            try results.append(Data((part + small + part + large).utf8), to: &found)
        }
        #expect(found.map(\.body) == [Data(small.utf8)])
        var cut = GraphQLResults(maximumBytes: 1_024)
        try cut.begin(head)
        try cut.append(Data((part + small).utf8), to: &found)
        let error = #expect(throws: TransportError.self) { try cut.finish(&found) }
        #expect(error?.kind == .connectionLost)
    }

    // MARK: multipart/mixed

    @Test("the last delimiter ends a stream of parts, also if the connection stays open")
    func theLastDelimiterIsTheEnd() throws {
        func results(_ text: String) throws -> GraphQLResults {
            var results = GraphQLResults(maximumBytes: 1000)
            var response = HTTPResponse(status: 200)
            response.headers[.contentType] = "multipart/mixed; boundary=b"
            try results.begin(response)
            var elements: [StreamedElement] = []
            try results.append(Data(text.utf8), to: &elements)
            return results
        }
        let part = "--b\r\n\r\n{\"data\":{\"counted\":1}}\r\n--b"
        #expect(try !results(part + "\r\n").isOver)
        #expect(try results(part + "--").isOver)
        let piece = "--b\r\n\r\n{\"data\":{},\"hasNext\":true}\r\n--b"
        #expect(throws: TransportError.self) { try results(piece + "--") }
    }

    private static let mixed = "preamble\r\n--b\r\nA: b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n\r\n--b--\r\nepilogue"

    @Test("parts are cut wherever the chunks end", arguments: 0...64)
    func partsAreCutAnywhere(cut: Int) throws {
        var parts: [Data] = []
        var splitter = MultipartMixed(boundary: "b", maximumBytes: 100)
        let bytes = Data(Self.mixed.utf8)
        try splitter.append(bytes.prefix(cut), to: &parts)
        try splitter.append(bytes.dropFirst(cut), to: &parts)
        #expect(parts.map { String(decoding: $0, as: UTF8.self) } == ["one", "two\r\n"])
        #expect(splitter.isOver)
    }

    @Test func aPartIsThereWithTheDelimiterAfterIt() throws {
        var parts: [Data] = []
        var splitter = MultipartMixed(boundary: "-", maximumBytes: 100)
        for byte in "---\r\n\r\n{}\r\n---".utf8 {
            #expect(parts.isEmpty)
            try splitter.append(Data([byte]), to: &parts)
        }
        #expect(parts == [Data("{}".utf8)])
        try splitter.append(Data("\r\n".utf8), to: &parts)
        #expect(!splitter.isOver)
    }

    @Test func whatFollowsTheLastDelimiterHasNoLimit() throws {
        var parts: [Data] = []
        var splitter = MultipartMixed(boundary: "b", maximumBytes: 100)
        try splitter.append(Data("--b\r\n\r\none\r\n--b--".utf8) + Data(count: 1_000), to: &parts)
        #expect(parts == [Data("one".utf8)])
        #expect(splitter.isOver)
    }

    @Test func aPartThatDoesNotEndIsRefused() {
        var parts: [Data] = []
        var splitter = MultipartMixed(boundary: "b", maximumBytes: 100)
        #expect(throws: StreamFormatError.self) {
            for _ in 0..<100 { try splitter.append(Data("--b\r\n\r\nx".utf8.prefix(9)) + Data(count: 10), to: &parts) }
        }
    }

    // MARK: Answers in pieces

    @Test(
        "pieces make the answer so far",
        arguments: [
            // The form of 2022: paths.
            (
                [
                    #"{"data":{"a":{"b":1}},"hasNext":true}"#,
                    #"{"incremental":[{"path":["a"],"data":{"c":2}}],"hasNext":true}"#,
                    #"{"hasNext":false}"#,
                ],
                [#"{"data":{"a":{"b":1}}}"#, #"{"data":{"a":{"b":1,"c":2}}}"#]
            ),
            (
                [
                    #"{"data":{"l":[1]},"hasNext":true}"#,
                    #"{"incremental":[{"path":["l",1],"items":[2,3]}],"hasNext":false}"#,
                ],
                [#"{"data":{"l":[1]}}"#, #"{"data":{"l":[1,2,3]}}"#]
            ),
            // A fragment that also selects objects that are already there: deep ones, and elements of a list.
            (
                [
                    #"{"data":{"a":{"b":{"c":{"x":1}},"l":[{"x":1},{"x":2}]}},"hasNext":true}"#,
                    #"{"incremental":[{"path":[],"data":{"a":{"b":{"c":{"y":2}},"l":[{"y":3},{"y":4}]}}}]}"#,
                ],
                [
                    #"{"data":{"a":{"b":{"c":{"x":1}},"l":[{"x":1},{"x":2}]}}}"#,
                    #"{"data":{"a":{"b":{"c":{"x":1,"y":2}},"l":[{"x":1,"y":3},{"x":2,"y":4}]}}}"#,
                ]
            ),
            // The form of 2023: announced parts with ids.
            (
                [
                    #"{"data":{"a":{"b":{"x":1}}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#,
                    #"{"incremental":[{"id":"0","subPath":["b"],"data":{"y":2}}],"completed":[{"id":"0"}],"hasNext":false}"#,
                ],
                [#"{"data":{"a":{"b":{"x":1}}}}"#, #"{"data":{"a":{"b":{"x":1,"y":2}}}}"#]
            ),
            (
                [
                    #"{"data":{"l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#,
                    #"{"incremental":[{"id":"0","items":[1]},{"id":"0","items":[2]}],"hasNext":true}"#,
                    #"{"completed":[{"id":"0","errors":[{"message":"m"}]}],"hasNext":false}"#,
                ],
                [#"{"data":{"l":[]}}"#, #"{"data":{"l":[1,2]}}"#, #"{"data":{"l":[1,2]},"errors":[{"message":"m"}]}"#]
            ),
            (
                [
                    #"{"data":{"a":{}},"errors":[1],"hasNext":true}"#,
                    #"{"incremental":[{"path":["a"],"data":null,"errors":[2]}],"extensions":{"e":1},"hasNext":false}"#,
                ],
                [#"{"data":{"a":{}},"errors":[1]}"#, #"{"data":{"a":{}},"errors":[1,2],"extensions":{"e":1}}"#]
            ),
        ]
    )
    func piecesMakeTheAnswer(pieces: [String], answers: [String]) throws {
        var merged = IncrementalResponse()
        let found = try pieces.compactMap { try merged.receive(Json(parsing: $0)) }
        #expect(try found == answers.map { try Json(parsing: $0) })
    }

    @Test(
        "a piece for no place of the answer ends the stream",
        arguments: [
            #"{"incremental":[{"path":["x","y"],"data":{"c":2}}]}"#, #"{"incremental":[{"path":["a"],"items":[1]}]}"#,
            #"{"incremental":[{"id":"9","path":["l",7],"items":[1]}]}"#,
            #"{"incremental":[{"path":["l",9,"z"],"data":{}}]}"#,
            #"{"incremental":[{"path":["l",1.5],"items":[1]}]}"#, #"{"incremental":[{"path":["a",null],"data":{}}]}"#,
            #"{"incremental":[{"path":["a",true],"data":{}}]}"#, #"{"incremental":[{"path":[[],"a"],"data":{}}]}"#,
            #"{"incremental":[{"path":["a"],"subPath":[null],"data":{}}]}"#,
            #"{"pending":[{"id":"0","path":["l",1.5]}],"incremental":[{"id":"0","items":[1]}]}"#,
            #"{"incremental":[{"path":"a","data":{"c":2}}]}"#, #"{"incremental":[{"path":{"a":1},"data":{"c":2}}]}"#,
            #"{"incremental":[{"path":["a"],"subPath":"b","data":{}}]}"#,
        ]
    )
    func aPieceForNoPlace(piece: String) throws {
        var merged = IncrementalResponse()
        _ = try merged.receive(Json(parsing: #"{"data":{"a":{"b":1},"l":[]},"hasNext":true}"#))
        #expect(throws: StreamFormatError.self) { try merged.receive(Json(parsing: piece)) }
    }
}
