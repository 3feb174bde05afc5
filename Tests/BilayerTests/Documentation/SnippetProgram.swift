/// A document's snippets as one source file.
///
/// Imports and types go to the top, where the whole document sees them. Statements stay in their order, each snippet in
/// a scope inside the scope of the one before: it sees what came before and may use the same names again. The compiler
/// counts lines as the document does.
struct SnippetProgram {
    private let document: SnippetDocument
    private let imports: [String]

    /// - Parameters:
    ///   - document: The snippets.
    ///   - imports: The modules that the reader is taken to have imported.
    init(_ document: SnippetDocument, importing imports: [String]) {
        self.document = document
        self.imports = imports
    }

    var text: String {
        guard let module = document.requiredModule else { return unconditionalText }
        return "#if canImport(\(module))\nimport \(module)\n\(unconditionalText)#endif\n"
    }

    private var unconditionalText: String {
        let chunks = document.snippets.map(Chunk.chunks)
        let top = chunks.joined().filter { $0.kind == .import } + chunks.joined().filter { $0.kind == .type }
        let scopes = chunks.map { $0.filter { $0.kind == .statement } }.filter { !$0.isEmpty }
        return
            (imports.map { "import \($0)" } + top.map(located)
            + ["func document() async throws {"]
            + scopes.map { (["do {"] + $0.map(located)).joined(separator: "\n") }
            + scopes.map { _ in "}" } + ["}"])
            .joined(separator: "\n") + "\n"
    }

    private func located(_ chunk: Chunk) -> String {
        "#sourceLocation(file: \"\(document.file)\", line: \(chunk.line))\n\(chunk.code.joined(separator: "\n"))\n#sourceLocation()"
    }
}

/// A piece of a snippet that belongs together: a line without indentation and what follows up to the next such line.
private struct Chunk {
    enum Kind {
        case `import`
        case type
        case statement
    }

    let code: ArraySlice<Substring>
    let line: Int

    static func chunks(of snippet: Snippet) -> [Chunk] {
        let starts = snippet.code.indices.filter { isStart(in: snippet.code, at: $0) }
        return zip(starts, starts.dropFirst() + [snippet.code.endIndex])
            .map { start, end in
                Chunk(code: snippet.code[start..<end], line: snippet.line + start)
            }
    }

    /// Closing brackets, `case` and `.method()` lines go on with what stands above, an attribute with what stands
    /// below.
    private static func isStart(in code: [Substring], at position: Int) -> Bool {
        if position == code.startIndex { return true }
        let line = code[position]
        guard let first = line.first, !" })].".contains(first) else { return false }
        if line.hasPrefix("case ") || line.hasPrefix("default:") { return false }
        return !code[position - 1].isAttributeAlone
    }

    private static let modifiers: Set<Substring> = [
        "final", "public", "private", "fileprivate", "package", "indirect", "nonisolated",
    ]
    private static let types: Set<Substring> = ["struct", "class", "enum", "protocol", "extension", "actor"]

    var kind: Kind {
        let words = code.lazy.flatMap { $0.split(separator: " ") }
        let first = words.first { !$0.hasPrefix("@") && !Self.modifiers.contains($0) } ?? ""
        if first == "import" { return .import }
        return Self.types.contains(first) ? .type : .statement
    }
}

extension Substring {
    fileprivate var isAttributeAlone: Bool { hasPrefix("@") && !contains(" ") }
}
