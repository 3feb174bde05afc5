// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Testing

@Suite("SnippetRun")
struct SnippetRunTests {
    private func program(_ file: String, _ code: Substring..., importing modules: [String] = []) -> SnippetProgram {
        SnippetProgram(SnippetDocument(file: file, snippets: [Snippet(code: code, line: 4)]), importing: modules)
    }

    @Test func anErrorIsTheDocumentsOwnAtItsOwnLine() async throws {
        let errors = try await SnippetRun.errors(in: [
            program("Right.md", "let number = 1"),
            program("Wrong.md", "let number = 1", "let text: String = number"),
            program("Torn.md", "let number = (1"),
            program("Unclosed.md", "struct Name {"),
        ])
        #expect(errors["Right.md:4"] == [])
        #expect(try #require(errors["Wrong.md:4"]?.first).hasPrefix("Wrong.md:5:"))
        #expect(try #require(errors["Torn.md:4"]?.first).contains("expected ')' in expression list"))
        #expect(try #require(errors["Unclosed.md:4"]?.first).contains("expected '}' in struct"))
        #expect(errors.count == 4)
    }

    @Test func documentsOfARunDeclareTheSameNamesAndDoNotSeeEachOther() async throws {
        let member: Substring = "extension Int { var name: Name { Name() } }"
        let programs = [
            program("One.md", "struct Name { let a = 1 }", member, "_ = 1.name.a"),
            program("Two.md", "struct Name { let b = 1 }", member, "_ = 1.name.b"),
            program("Other.md", "_ = 1.name"),
        ]
        #expect(SnippetRun.runs(of: programs).count == 1)
        let errors = try await SnippetRun.errors(in: programs)
        #expect(errors.filter { $0.value.isEmpty }.keys.sorted() == ["One.md:4", "Two.md:4"])
    }

    @Test func aConformanceAndAnImportAreNotLentToOtherDocuments() async throws {
        let programs = [
            program("One.md", "struct Name {}", "extension Int: @retroactive Identifiable {}"),
            program("Two.md", "func id(_ value: some Identifiable) {}", "id(1)"),
            program("Three.md", "import Foundation"),
        ]
        #expect(SnippetRun.runs(of: programs).count == 3)
        let errors = try await SnippetRun.errors(in: programs)
        #expect(errors["Two.md:4"]?.isEmpty == false)
    }

    /// If an argument or an imported module does not exist, the compiler stops before it checks any document.
    @Test(arguments: [["-no-such-argument"], ["-Xfrontend", "-import-module", "-Xfrontend", "NoSuchModule"]])
    func documentsThatAreNotCheckedHaveAnError(arguments: [String]) async throws {
        let programs = [program("One.md", "let a = 1"), program("Two.md", "let b = 1")]
        let errors = try await SnippetRun.errors(in: programs, arguments)
        #expect(errors.count == 2)
        #expect(errors.values.allSatisfy { !$0.isEmpty })
    }

    /// The purpose of the runs: the compiler is not started for each document.
    @Test func theCommentsNeedFewRuns() {
        let programs = SnippetDocument.comments.map { SnippetProgram($0, importing: []) }
        let runs = SnippetRun.runs(of: programs)
        #expect(runs.count <= 5)
        #expect(runs.map(\.programs.count).reduce(0, +) == SnippetDocument.comments.count)
    }
}
#endif
