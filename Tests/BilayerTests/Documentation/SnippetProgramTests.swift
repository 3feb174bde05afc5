import Testing

@Suite("SnippetProgram")
struct SnippetProgramTests {
    @Test func blocksAreFoundWithTheirLines() {
        let lines: [Substring] = [
            "Text", "```swift", "let a = 1", "```", "```text", "no code", "```",
            "<!-- snippet: given", "let b = 2", "-->", "<!-- snippet: skip -->", "```swift", "let c", "```",
        ]
        let blocks = Snippet.blocks(of: lines, from: 10)
        #expect(blocks == [Snippet(code: ["let a = 1"], line: 12), Snippet(code: ["let b = 2"], line: 18)])
    }

    @Test func onlyCommentsOfPublicDeclarationsCount() {
        let lines: [Substring] = [
            "/// A.", "/// ```swift", "/// let a = 1", "/// ```", "@frozen", "public struct A {",
            "    /// ```swift", "    /// let b = 2", "    /// ```", "    var b: Int", "}",
            "public protocol P {", "    /// ```swift", "    /// let c = 3", "    /// ```", "    func c()", "}",
        ]
        #expect(SnippetDocument.comments(in: lines).flatMap { $0 }.map(\.code) == [["let a = 1"], ["let c = 3"]])
    }

    @Test func typesGoToTheTopAndStatementsIntoScopes() {
        let first = Snippet(
            code: ["import Testing", "let a = [", "    1,", "]", "struct S {", "    let x = 1", "}"],
            line: 3
        )
        let second = Snippet(code: ["let a = 2", "print(a)"], line: 20)
        let text = SnippetProgram(SnippetDocument(file: "P.md", snippets: [first, second]), importing: ["Bilayer"]).text
        let code = text.split(separator: "\n").filter { !$0.hasPrefix("#sourceLocation()") }
        #expect(
            code == [
                "import Bilayer", "#sourceLocation(file: \"P.md\", line: 3)", "import Testing",
                "#sourceLocation(file: \"P.md\", line: 7)", "fileprivate struct S {", "    let x = 1", "}",
                "private func document() async throws {",
                "do {", "#sourceLocation(file: \"P.md\", line: 4)", "let a = [", "    1,", "]",
                "do {", "#sourceLocation(file: \"P.md\", line: 20)", "let a = 2",
                "#sourceLocation(file: \"P.md\", line: 21)", "print(a)", "}", "}", "}",
                "private let end: EndOfDocument",
            ]
        )
    }

    @Test(
        arguments: [
            ("struct S {}", false), ("extension S { var a: Int { 1 } }", false),
            ("nonisolated struct S: Codable {}", false), ("extension Route where Response == S {}", false),
            ("extension S: Codable {}", true), ("nonisolated extension S.T: Codable {}", true),
            ("extension Own: Codable {}", false), ("nonisolated extension Own.T: Codable {}", false),
            ("public struct S {}", true), ("final public class C {}", true), ("let s: S", false),
        ] as [(Substring, Bool)]
    )
    func conformancesOfExtensionsAndAccessLevelsAreSeenByOtherDocuments(code: Substring, isSeen: Bool) {
        let document = SnippetDocument(file: "P.md", snippets: [Snippet(code: [code, "struct Own {}"], line: 1)])
        #expect(SnippetProgram(document, importing: []).isSeenByOthers == isSeen)
    }

    @Test func theImportsOfADocumentAreItsOwnAndTheReaders() {
        let snippet = Snippet(code: ["import Testing", "@testable import Other", "let a = 1"], line: 1)
        let document = SnippetDocument(file: "P.md", snippets: [snippet])
        #expect(SnippetProgram(document, importing: ["Bilayer"]).imports == ["Bilayer", "Testing", "Other"])
    }
}
