// Only where a process can start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Every block of Swift in the documentation compiles as an app would compile it.
@Suite("Snippets in the documentation")
struct SnippetTests {
    @Test(arguments: SnippetDocument.pages) func pageCompiles(page: SnippetDocument) throws {
        let outcome = try check(SnippetProgram(page, importing: ["Bilayer", "Foundation"]))
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// New app templates isolate everything to the main actor that says nothing else.
    @Test(arguments: SnippetDocument.pages.filter { ["README.md", gettingStarted].contains($0.file) })
    func pageCompilesInATargetOfTheMainActor(page: SnippetDocument) throws {
        let program = SnippetProgram(page, importing: ["Bilayer", "Foundation"])
        #expect(try check(program, ["-default-isolation", "MainActor"]).status == 0)
        let features = ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
        let settings = ["-default-isolation", "MainActor"] + features.flatMap { ["-enable-upcoming-feature", $0] }
        let outcome = try check(program, settings)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    private static let gettingStarted = "Sources/Bilayer/Bilayer.docc/GettingStarted.md"

    @Test(arguments: SnippetDocument.comments) func commentCompiles(comment: SnippetDocument) throws {
        let setting = try Self.setting.get()
        let modules = ["Bilayer", "BilayerTesting", "Foundation", "SnippetSetting", "Testing"]
        let outcome = try check(SnippetProgram(comment, importing: modules), ["-I", setting.path] + Self.package)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func thereAreDocuments() {
        #expect(SnippetDocument.pages.map(\.file).contains("README.md"))
        #expect(SnippetDocument.pages.map(\.file).contains(Self.gettingStarted))
        #expect(SnippetDocument.pages.count >= 5)
        #expect(SnippetDocument.comments.count >= 40)
    }

    @Test func aWrongSnippetFailsAtItsOwnLine() throws {
        let lines: [Substring] = ["# Title", "```swift", "let number = 1", "let text: String = number", "```"]
        let page = SnippetDocument(file: "Page.md", snippets: Snippet.blocks(of: lines))
        let outcome = try check(SnippetProgram(page, importing: []))
        #expect(outcome.status != 0)
        #expect(outcome.output.contains("Page.md:4:"), "\(outcome.output)")
    }

    /// The app that the comments' examples are taken from, as a module: an example may declare its types anew.
    private static let setting = Result {
        let folder = try temporaryFolder()
        let source = Compiler.repository.appendingPathComponent("Tests/Snippets/SnippetSetting.swift")
        let outcome = try Compiler.emitModule("SnippetSetting", from: source, into: folder, package)
        guard outcome.status == 0 else { throw BrokenSetting(output: outcome.output) }
        return folder
    }

    /// The examples and their app are one package, so that the app's parts need not be public.
    private static let package = ["-package-name", "snippets"]

    private struct BrokenSetting: Error {
        let output: String
    }

    private func check(_ program: SnippetProgram, _ arguments: [String] = []) throws -> Compiler.Outcome {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Snippet.swift")
        try Data(program.text.utf8).write(to: file)
        return try Compiler.typecheck(file, ["-parse-as-library", "-suppress-warnings"] + arguments)
    }

    private static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
#endif
