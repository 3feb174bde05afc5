import Foundation

extension JsonEncoder.KeyStrategy {
    /// Whether keys are written as types have them.
    var keepsKeys: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// The key to write.
    func name(for key: some CodingKey, in place: CodingPlace) -> String {
        switch self {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.fromCamelCase(key.stringValue)
        case .naming(let naming): naming.key(for: key.stringValue)
        case .custom(let convert): convert(place.path(in: nil) + [key]).stringValue
        }
    }
}

extension Data {
    /// A written text with only the last of the members of one object that have the same key.
    var withoutRepeatedMembers: Data {
        var writer = ByteWriter(capacity: count)
        let document = JsonDocument.parse(trusted: self)
        document.withNodes { nodes in writer.writeLastMembers(of: nodes, at: 0) }
        return writer.finish()
    }
}

extension ByteWriter {
    /// Writes a value, and of members with the same key the last. It is as deep as the value that was encoded, so recursion is safe.
    fileprivate mutating func writeLastMembers(of nodes: JsonNodes, at position: Int) {
        let tag = nodes.tag(at: position)
        guard tag.isContainer else { return write(nodes, at: position, isCompact: true) }
        var last: [String: Int] = [:]
        var child = nodes.firstChild(of: position)
        var isFirst = true
        if tag == .object {
            for _ in 0..<nodes.words.memberCount(at: position) {
                last[nodes.string(at: child)] = child
                child = nodes.words.next(after: child &+ 1)
            }
            child = nodes.firstChild(of: position)
        }
        write(byte: tag == .object ? Ascii.openBrace : Ascii.openBracket)
        for _ in 0..<nodes.words.memberCount(at: position) {
            let value = tag == .object ? child &+ 1 : child
            if tag == .array || last[nodes.string(at: child)] == child {
                if !isFirst { write(byte: Ascii.comma) }
                isFirst = false
                if tag == .object {
                    write(nodes, at: child, isCompact: true)
                    write(byte: Ascii.colon)
                }
                writeLastMembers(of: nodes, at: value)
            }
            child = nodes.words.next(after: value)
        }
        write(byte: tag == .object ? Ascii.closeBrace : Ascii.closeBracket)
    }
}
