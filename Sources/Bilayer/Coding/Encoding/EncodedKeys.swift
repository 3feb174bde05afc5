import Foundation

extension JsonEncoder.KeyStrategy {
    /// Whether keys are written as types have them.
    var keepsKeys: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// The conversion of a key that depends on the name alone, if there is one.
    var naming: KeyNaming? {
        switch self {
        case .convertToSnakeCase: .fromCamelCase
        case .naming(let naming): naming
        case .useDefaultKeys, .custom: nil
        }
    }

    /// The key to write where that does not depend on its path.
    func name(for key: some CodingKey) -> String { naming?.key(for: key.stringValue) ?? key.stringValue }
}

extension KeyNaming {
    /// As Foundation's encoder does it.
    fileprivate static let fromCamelCase = KeyNaming(SnakeCase.fromCamelCase)
}

extension Data {
    /// A written text with only the last of the members of one object that have the same key.
    var withoutRepeatedMembers: Data {
        var writer = ByteWriter(capacity: count)
        JsonDocument.parse(trusted: self).withNodes { nodes in writer.writeLastMembers(of: nodes) }
        return writer.finish()
    }
}

/// A container while it is copied.
private struct CopiedContainer {
    let isObject: Bool
    /// The positions of the next key or element, and of the container's end.
    var child: Int
    let end: Int
    /// The position of the key of the last member of each name.
    let last: [JsonKey: Int]
    var isEmpty = true

    init(_ nodes: JsonNodes, at position: Int) {
        isObject = nodes.tag(at: position) == .object
        child = nodes.firstChild(of: position)
        end = nodes.words.next(after: position)
        last = isObject ? nodes.memberPositions(of: position, lastWins: true) : [:]
    }

    /// The position of the next value to copy. Skips the members that a later one repeats.
    mutating func next(in nodes: JsonNodes) -> Int? {
        while child < end {
            let value = isObject ? child &+ 1 : child
            child = nodes.words.next(after: value)
            if !isObject || last[JsonKey(text: nodes.string(at: value &- 1))] == value { return value }
        }
        return nil
    }
}

extension ByteWriter {
    /// Writes a text, and of members with the same key the last. Depth costs memory, not stack.
    fileprivate mutating func writeLastMembers(of nodes: JsonNodes) {
        var open: [CopiedContainer] = []
        begin(nodes, at: 0, &open)
        while !open.isEmpty {
            let innermost = open.count &- 1
            guard let value = open[innermost].next(in: nodes) else {
                write(byte: open.removeLast().isObject ? Ascii.closeBrace : Ascii.closeBracket)
                continue
            }
            if !open[innermost].isEmpty { write(byte: Ascii.comma) }
            open[innermost].isEmpty = false
            if open[innermost].isObject {
                write(nodes, at: value &- 1, isCompact: true)
                write(byte: Ascii.colon)
            }
            begin(nodes, at: value, &open)
        }
    }

    /// Writes a scalar, or the opening bracket of a container.
    private mutating func begin(_ nodes: JsonNodes, at position: Int, _ open: inout [CopiedContainer]) {
        guard nodes.tag(at: position).isContainer else { return write(nodes, at: position, isCompact: true) }
        open.append(CopiedContainer(nodes, at: position))
        write(byte: nodes.tag(at: position) == .object ? Ascii.openBrace : Ascii.openBracket)
    }
}
