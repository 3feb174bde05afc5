/// Writes a value in a ``Json/Format``. The open containers are in a list, so nesting costs memory, not stack.
struct JsonPrinter {
    private let isPretty: Bool
    private let sortsKeys: Bool
    private var open: [Level] = []

    /// A container whose opening bracket is written, but not its closing bracket.
    private struct Level {
        var rest: Rest
        var isFirst = true
    }

    /// The children of a container that are not written yet, in the order in which they are written.
    private enum Rest {
        case elements(Json.Elements.Iterator)
        case members(Json.Members.Iterator)
        case sorted(IndexingIterator<[Json.Members.Element]>)

        /// The closing bracket.
        var close: UInt8 {
            if case .elements = self { return Ascii.closeBracket }
            return Ascii.closeBrace
        }

        /// Returns the next child, with its key if it is a member; `nil` after the last child.
        mutating func next() -> (key: String?, value: Json)? {
            switch self {
            case .elements(var iterator):
                defer { self = .elements(iterator) }
                return iterator.next().map { (nil, $0) }
            case .members(var iterator):
                defer { self = .members(iterator) }
                return iterator.next().map { ($0.key, $0.value) }
            case .sorted(var iterator):
                defer { self = .sorted(iterator) }
                return iterator.next().map { ($0.key, $0.value) }
            }
        }
    }

    init(_ format: Json.Format) {
        isPretty = format.contains(.pretty)
        sortsKeys = format.contains(.sortedKeys)
    }

    /// Writes a value with all its children.
    mutating func print(_ root: Json, to writer: inout ByteWriter) {
        begin(root, to: &writer)
        while var level = open.popLast() {
            guard let (key, value) = level.rest.next() else {
                if !level.isFirst { breakLine(to: &writer) }
                writer.write(byte: level.rest.close)
                continue
            }
            if !level.isFirst { writer.write(byte: Ascii.comma) }
            level.isFirst = false
            open.append(level)
            breakLine(to: &writer)
            if let key { write(key: key, to: &writer) }
            begin(value, to: &writer)
        }
    }

    /// Writes a scalar, or begins a container. Without layout options, a parsed value is written with its whole
    /// contents at once.
    private mutating func begin(_ json: Json, to writer: inout ByteWriter) {
        if !isPretty, !sortsKeys, case .written(let text) = json.storage { return writer.write(json: text.bytes) }
        switch json.resolved {
        case .view(let document, let position) where !isPretty && !sortsKeys:
            document.withNodes { writer.write($0, at: position, isCompact: document.isCompact) }
        case .view(let document, let position) where !document.nodes.tag(at: position).isContainer:
            document.withNodes { writer.write($0, at: position, isCompact: true) }
        case .null: writer.write(literal: "null")
        case .bool(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .double(let value): writer.write(value)
        case .number(let text): writer.write(ascii: text)
        case .string(let text): writer.write(text)
        default: open(json, to: &writer)
        }
    }

    /// Writes the opening bracket of a container. ``print(_:to:)`` then writes its children.
    private mutating func open(_ json: Json, to writer: inout ByteWriter) {
        if json.kind == .array {
            writer.write(byte: Ascii.openBracket)
            open.append(Level(rest: .elements(json.elements.makeIterator())))
        } else if sortsKeys {
            writer.write(byte: Ascii.openBrace)
            let sorted = json.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            open.append(Level(rest: .sorted(sorted.makeIterator())))
        } else {
            writer.write(byte: Ascii.openBrace)
            open.append(Level(rest: .members(json.members.makeIterator())))
        }
    }

    private func write(key: String, to writer: inout ByteWriter) {
        writer.write(key)
        writer.write(byte: Ascii.colon)
        if isPretty { writer.write(byte: Ascii.space) }
    }

    /// The nesting depth at which indentation stops growing. The limit keeps the number of blanks proportional to the
    /// text.
    static let deepestIndent = 32

    /// In the pretty layout, starts a line with the indentation of the open containers.
    private func breakLine(to writer: inout ByteWriter) {
        guard isPretty else { return }
        writer.write(byte: Ascii.newline)
        for _ in 0..<min(open.count, Self.deepestIndent) { writer.write(literal: "  ") }
    }
}
