// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Every block of Swift in the documentation that is not skipped compiles as an app would compile it.
@Suite("Snippets in the documentation")
struct SnippetTests {
    @Test(arguments: SnippetDocument.pages) func pageCompiles(page: SnippetDocument) async throws {
        try await expectNoErrors(in: page, of: Self.pageErrors)
    }

    /// In targets from Xcode's templates for new apps, a declaration without an isolation of its own belongs to the
    /// main actor.
    @Test(arguments: mainActorPages) func pageCompilesInATargetOfTheMainActor(page: SnippetDocument) async throws {
        try await expectNoErrors(in: page, of: Self.mainActorErrors)
        try await expectNoErrors(in: page, of: Self.approachableConcurrencyErrors)
    }

    @Test(arguments: SnippetDocument.comments) func commentCompiles(comment: SnippetDocument) async throws {
        try await expectNoErrors(in: comment, of: Self.commentErrors)
    }

    @Test func thereAreDocuments() {
        #expect(SnippetDocument.pages.map(\.file).contains("README.md"))
        #expect(SnippetDocument.pages.count >= 5)
        #expect(SnippetDocument.comments.count >= 40)
        #expect(Self.mainActorPages.count == 2)
    }

    /// Each task checks all of its documents at once, and starts when the first test needs it.
    private static let pageErrors = Task { try await errors(inPages: SnippetDocument.pages) }
    private static let mainActorErrors = Task { try await errors(inPages: mainActorPages, mainActor) }
    private static let approachableConcurrencyErrors = Task {
        let features = ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
        let settings = mainActor + features.flatMap { ["-enable-upcoming-feature", $0] }
        return try await errors(inPages: mainActorPages, settings)
    }
    private static let commentErrors = Task { try await errors(inComments: SnippetDocument.comments) }

    private static let mainActor = ["-default-isolation", "MainActor"]
    private static let mainActorPages = SnippetDocument.pages.filter {
        ["README.md", "Sources/Bilayer/Bilayer.docc/GettingStarted.md"].contains($0.file)
    }

    private func expectNoErrors(
        in document: SnippetDocument,
        of run: Task<SnippetRun.Errors, any Error>
    ) async throws {
        let errors = try #require(await run.value[document.name], "The document is in no run of the compiler.")
        #expect(errors.isEmpty, "\(errors.joined(separator: "\n"))")
    }

    private static func errors(
        inPages pages: [SnippetDocument],
        _ arguments: [String] = []
    ) async throws -> SnippetRun.Errors {
        let programs = pages.map { SnippetProgram($0, importing: ["Bilayer", "Foundation"]) }
        return try await SnippetRun.errors(in: programs, arguments)
    }

    /// The app that the comments' examples are taken from is a module of its own, so an example may declare the app's
    /// types anew. Examples and app are one package, so that the app's parts need not be public.
    private static func errors(inComments comments: [SnippetDocument]) async throws -> SnippetRun.Errors {
        try await Compiler.inTemporaryFolder { folder in
            let package = ["-package-name", "snippets"]
            let source = Compiler.repository.appendingPathComponent("Tests/Snippets/SnippetSetting.swift")
            let setting = try Compiler.emitModule("SnippetSetting", from: source, into: folder, package)
            guard setting.status == 0 else { throw BrokenSetting(output: setting.output) }
            let modules = ["Bilayer", "BilayerTesting", "Foundation", "SnippetSetting", "Testing"]
            let programs = comments.map { SnippetProgram($0, importing: modules) }
            return try await SnippetRun.errors(in: programs, ["-I", folder.path] + package)
        }
    }

    private struct BrokenSetting: Error {
        let output: String
    }
}
#endif
