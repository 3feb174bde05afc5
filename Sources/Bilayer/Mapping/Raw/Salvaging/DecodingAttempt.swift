/// A decoded value, or the error of its decoding. Decoding an attempt itself throws only a cancellation, so the members
/// after a failed member are decoded, too. An attempt has a decoder of its own, so its errors have the right coding
/// path.
enum DecodingAttempt<Value: Decodable>: Decodable {
    case value(Value)
    case failure(MappingError)

    init(from decoder: any Decoder) throws {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        do {
            // The value is requested from a container, because the decoder's strategies do not apply to a direct
            // `init(from:)`.
            let value = try decoder.singleValueContainer().decode(Value.self)
            // Issues that the value has reported, and that name no type yet, get the name of the value's type.
            log?.setOwner(since: mark, inside: JsonPath(decoder.codingPath), by: ownerName(of: Value.self))
            self = .value(value)
        } catch let error as CancellationError {
            throw error
        } catch {
            log?.remove(since: mark)
            let json = (try? Json(from: decoder)) ?? .null
            self = .failure(Self.described(error, of: json, at: JsonPath(decoder.codingPath)))
        }
    }

    /// Converts the error of a value to a mapping error. `json` is the value's JSON.
    static func described(_ error: any Error, of json: Json, at path: JsonPath) -> MappingError {
        MappingError(decoding: error, of: Value.self, at: path, in: json, from: path)
    }

    func get() throws -> Value {
        switch self {
        case .value(let value): return value
        case .failure(let error): throw error
        }
    }
}

extension DecodingAttempt {
    /// Returns the elements of an array that can be read. The elements are read one at a time, so that a failed element
    /// takes no memory for a value of its type.
    static func values(in decoder: any Decoder, of type: Any.Type, _ given: ElementVisitor) throws -> [Value] {
        var visitor = given
        if let decoder = decoder as? ValueDecoder,
            let values = try decoder.salvagedElements(of: Value.self, &visitor)
        {
            return values
        }
        var container = try naming(type) { try decoder.unkeyedContainer() }
        var values: [Value] = []
        var count = 0
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                values.append(try container.decode(Value.self))
                visitor.elementWasRead(at: .index(count), owner: ownerName(of: Value.self))
            } catch {
                // If the container stays at the failed element, the element is skipped by reading it as `Json`.
                let isSkipped = error is CancellationError || container.currentIndex > index
                let json = isSkipped ? nil : try? container.decode(Json.self)
                try visitor.failed(error, at: .index(count), owner: ownerName(of: Value.self)) { error in
                    described(error, of: json ?? .null, at: JsonPath(decoder.codingPath).appending(.index(count)))
                }
            }
            count += 1
            // If the decoder stays at an element that cannot be read even as `Json`, nothing more can be read.
            if container.currentIndex < count {
                throw MappingError(MappingIssue(.foreign, path: JsonPath(decoder.codingPath)))
            }
        }
        try visitor.finish(count: count)
        return values
    }

    /// Returns the members of an object: the values that can be read, and the errors of the others.
    static func members(in decoder: any Decoder, of type: Any.Type) throws -> [String: IndirectAttempt<Value>] {
        try naming(type) { try decoder.singleValueContainer().decode([String: IndirectAttempt<Value>].self) }
    }
}

/// A ``DecodingAttempt`` with its value on the heap, so that many failures of a large type take no memory for its
/// values.
enum IndirectAttempt<Value: Decodable>: Decodable, AnyDecodingAttempt {
    indirect case value(Value)
    case failure(MappingError)

    var isValue: Bool { if case .value = self { true } else { false } }

    init(from decoder: any Decoder) throws {
        switch try DecodingAttempt<Value>(from: decoder) {
        case .value(let value): self = .value(value)
        case .failure(let error): self = .failure(error)
        }
    }

    func get() throws -> Value {
        switch self {
        case .value(let value): return value
        case .failure(let error): throw error
        }
    }
}

/// Marks ``IndirectAttempt`` of any type, so that one cast detects a dictionary of attempts.
protocol AnyDecodingAttempt {}
