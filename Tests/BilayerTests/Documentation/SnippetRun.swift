// Only on these platforms can a process start another one.
#if os(macOS) || os(Linux)
import Foundation

/// Documents that the compiler checks together, each as a source file of one module.
///
/// The documents do not see each other, because the declarations of each are private to its file. Two things cannot be
/// private: a file may use members of a module that only another file imports, and a conformance holds everywhere. So
/// all documents of a run have the same imports, and a document with visible declarations has a run of its own.
struct SnippetRun: Sendable {
    /// The errors in each document, by the document's name; none for a document that compiles.
    typealias Errors = [String: [String]]

    let programs: [SnippetProgram]

    /// Puts documents into as few runs as possible.
    static func runs(of programs: [SnippetProgram]) -> [SnippetRun] {
        let together = Dictionary(grouping: programs.filter { !$0.isSeenByOthers }, by: \.imports)
        let alone = programs.filter(\.isSeenByOthers)
        return together.values.map(SnippetRun.init) + alone.map { SnippetRun(programs: [$0]) }
    }

    /// Compiles every document.
    /// - Parameters:
    ///   - programs: The documents.
    ///   - arguments: More arguments for the compiler.
    /// - Returns: The errors of each document.
    /// - Throws: When a file cannot be written, or the compiler cannot be run (``Compiler/typecheck(_:_:)``).
    static func errors(in programs: [SnippetProgram], _ arguments: [String] = []) async throws -> Errors {
        try await withThrowingTaskGroup(of: Errors.self) { group in
            for run in runs(of: programs) {
                group.addTask { try await run.errors(arguments) }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
        }
    }

    private func errors(_ arguments: [String]) async throws -> Errors {
        let outcome = try await Compiler.inTemporaryFolder { folder in
            let files = programs.map { folder.appendingPathComponent($0.document.fileName) }
            for (program, file) in zip(programs, files) { try Data(program.text.utf8).write(to: file) }
            return try Compiler.typecheck(files, ["-parse-as-library", "-suppress-warnings"] + arguments)
        }
        let errors = outcome.errors
        // It is unknown to which document these errors belong, so every document gets them.
        let strays = errors.filter { error in !programs.contains { $0.document.contains(error) } }
        return Dictionary(
            uniqueKeysWithValues: programs.map { program in
                let own = errors.filter(program.document.contains)
                let unexpected = (own + strays).filter { !$0.isAtEnd }.map(\.text)
                let isRead = own.contains(where: \.isAtEnd)
                let unread = isRead ? [] : ["The compiler did not check the document:\n\(outcome.output)"]
                return (program.document.name, unexpected + unread)
            }
        )
    }
}

extension Compiler.Diagnostic {
    /// Whether it is the error that every document must have.
    fileprivate var isAtEnd: Bool { message.contains("'\(SnippetProgram.end)'") }
}

extension SnippetDocument {
    fileprivate var fileName: String { name.map { "/:".contains($0) ? "-" : "\($0)" }.joined() + ".swift" }

    /// Whether an error is at one of the document's lines, or at a line that only its source file has.
    fileprivate func contains(_ error: Compiler.Diagnostic) -> Bool {
        if error.file.hasSuffix("/" + fileName) { return true }
        return error.file == file && snippets.contains { $0.lines.contains(error.line) }
    }
}
#endif
