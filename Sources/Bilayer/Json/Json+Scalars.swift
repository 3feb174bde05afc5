// Fields and elements of the types that most fields have. Each function is one call from the app's code: it looks a key up, reads
// the value and counts no references. Whatever does not fit goes the general way, which finds the words for the error.
extension Json {
    @usableFromInline
    func string(of key: String) throws -> String { try field(key) { $0.stringValue(at: $1) } }

    @usableFromInline
    func int(of key: String) throws -> Int { try field(key) { $0.integer(at: $1) } }

    @usableFromInline
    func double(of key: String) throws -> Double { try field(key) { $0.double(at: $1) } }

    @usableFromInline
    func bool(of key: String) throws -> Bool { try field(key) { $0.bool(at: $1) } }

    @usableFromInline
    func stringIfPresent(of key: String) throws -> String? { try fieldIfPresent(key) { $0.stringValue(at: $1) } }

    @usableFromInline
    func intIfPresent(of key: String) throws -> Int? { try fieldIfPresent(key) { $0.integer(at: $1) } }

    @usableFromInline
    func doubleIfPresent(of key: String) throws -> Double? { try fieldIfPresent(key) { $0.double(at: $1) } }

    @usableFromInline
    func boolIfPresent(of key: String) throws -> Bool? { try fieldIfPresent(key) { $0.bool(at: $1) } }

    /// All elements of an array; nil if one of them is something else, or the task is cancelled.
    @usableFromInline var strings: [String]? { elements { $0.stringValue(at: $1) } }

    @usableFromInline var ints: [Int]? { elements { $0.integer(at: $1) } }

    @usableFromInline var doubles: [Double]? { elements { $0.double(at: $1) } }
}

extension Json {
    @inline(__always)
    private func field<Value: RawDecodable>(_ key: String, _ read: (JsonNodes, Int) -> Value?) throws -> Value
    where Value.Raw == Json {
        if let value = readMember(key, read) { return value }
        return try decodeUnusual(key)
    }

    @inline(__always)
    private func fieldIfPresent<Value: RawDecodable>(_ key: String, _ read: (JsonNodes, Int) -> Value?) throws -> Value?
    where Value.Raw == Json {
        let found: Value?? = readMemberIfPresent(key) { nodes, position in
            if position == 0 || nodes.tag(at: position) == .null { return .some(nil) }
            return read(nodes, position).map(Optional.some)
        }
        if let found { return found }
        return try decodeUnusualIfPresent(key)
    }

    @inline(__always)
    private func elements<Value>(_ read: (JsonNodes, Int) -> Value?) -> [Value]? {
        readView { nodes, array in
            guard nodes.tag(at: array) == .array else { return nil }
            let count = nodes.words.memberCount(at: array)
            var values: [Value] = []
            values.reserveCapacity(count)
            let first = nodes.firstChild(of: array)
            for index in 0..<count {
                if index & 0xFFF == 0xFFF, Task.isCancelled { return nil }
                // Scalars take one word each; a container makes `read` give nil.
                guard let value = read(nodes, first &+ index) else { return nil }
                values.append(value)
            }
            return values
        }
    }

    /// A member of a parsed object; nil without such a member, and for a value that is something else.
    @usableFromInline
    func parsedMember(_ key: String) -> Json? {
        guard case .view(let document, let object) = storage else { return nil }
        let position = document.memberPosition(key, in: object)
        return position > 0 ? Json(.view(document, position)) : nil
    }
}
