/// A document's snippets as one source file.
///
/// Imports and types go to the top, where the whole document sees them. Statements stay in their order, each snippet in
/// a scope inside the previous one's. So a snippet sees the names of earlier snippets, and may declare them anew. The
/// line numbers of the compiler's errors are those of the document. Declarations are private to the file if the language
/// allows it, so that other documents can be compiled beside it in a module.
struct SnippetProgram: Sendable {
    let document: SnippetDocument
    private let modules: [String]
    private let chunks: [[Chunk]]

    /// - Parameters:
    ///   - document: The snippets.
    ///   - modules: The modules that the reader is taken to have imported.
    init(_ document: SnippetDocument, importing modules: [String]) {
        self.document = document
        self.modules = modules
        chunks = document.snippets.map(Chunk.chunks)
    }

    /// Every module that the document imports.
    var imports: Set<String> {
        let own = chunks.joined().filter { $0.kind == .import }.map(\.name)
        return Set(modules + own + [document.requiredModule].compactMap { $0 })
    }

    /// Whether other files of the module see something that this program declares. A conformance of a foreign type
    /// cannot be private, and an access level that the document states stays as it is.
    var isSeenByOthers: Bool {
        let types = chunks.joined().filter { $0.kind == .type }
        let own = Set(types.filter { !$0.isExtension }.map(\.name))
        return types.contains { $0.hasAccessLevel || $0.isConformance && !own.contains($0.name) }
    }

    /// A type that does not exist. Every program ends with a use of it, for which the compiler must give an error. So a
    /// document that the compiler did not check is found.
    static let end = "EndOfDocument"

    var text: String {
        let end = "private let end: \(Self.end)\n"
        guard let module = document.requiredModule else { return unconditionalText + end }
        return "#if canImport(\(module))\nimport \(module)\n\(unconditionalText)#endif\n\(end)"
    }

    private var unconditionalText: String {
        let top = chunks.joined().filter { $0.kind == .import } + chunks.joined().filter { $0.kind == .type }
        let scopes = chunks.map { $0.filter { $0.kind == .statement } }.filter { !$0.isEmpty }
        return
            (modules.map { "import \($0)" } + top.map(located)
            + ["private func document() async throws {"]
            + scopes.map { (["do {"] + $0.map(located)).joined(separator: "\n") }
            + scopes.map { _ in "}" } + ["}"])
            .joined(separator: "\n") + "\n"
    }

    private func located(_ chunk: Chunk) -> String {
        let place = "#sourceLocation(file: \"\(document.file)\", line: \(chunk.line))"
        return "\(place)\n\(chunk.privateText)\n#sourceLocation()"
    }
}

/// A piece of a snippet that belongs together: a line without indentation, and the lines up to the next such line.
private struct Chunk: Sendable {
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

    /// Closing brackets, `case` and `.method()` lines go on with the line above, an attribute with the line
    /// below.
    private static func isStart(in code: [Substring], at position: Int) -> Bool {
        if position == code.startIndex { return true }
        let line = code[position]
        guard let first = line.first, !" })].".contains(first) else { return false }
        if line.hasPrefix("case ") || line.hasPrefix("default:") { return false }
        return !code[position - 1].isAttributeAlone
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let modifiers: Set<Substring> = ["final", "indirect", "nonisolated"]
    private static let types: Set<Substring> = ["struct", "class", "enum", "protocol", "extension", "actor"]

    /// The words without attributes and modifiers, but with the access level.
    private var words: [Substring] {
        code.flatMap { $0.split(separator: " ") }.filter { !$0.hasPrefix("@") && !Self.modifiers.contains($0) }
    }

    var hasAccessLevel: Bool { words.first.map(Self.accessLevels.contains) ?? false }

    /// The words from `import`, `struct` and the like on.
    private var head: [Substring] { Array(words.drop { Self.accessLevels.contains($0) }) }

    var isExtension: Bool { head.first == "extension" }

    /// The name of the imported module, or of the type.
    var name: String { String((head.dropFirst().first ?? "").prefix { $0 == "_" || $0.isLetter || $0.isNumber }) }

    /// Whether it is an `extension Type: Protocol`.
    var isConformance: Bool { isExtension && head.dropFirst().first?.hasSuffix(":") == true }

    var kind: Kind {
        guard let first = head.first else { return .statement }
        if first == "import" { return .import }
        return Self.types.contains(first) ? .type : .statement
    }

    /// The code, made private to its file where the language allows it.
    var privateText: String {
        let text = code.joined(separator: "\n")
        return kind == .type && !isConformance && !hasAccessLevel ? "fileprivate \(text)" : text
    }
}

extension Substring {
    fileprivate var isAttributeAlone: Bool { hasPrefix("@") && !contains(" ") }
}
