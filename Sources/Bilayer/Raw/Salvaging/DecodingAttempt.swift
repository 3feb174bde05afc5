/// A decoded member, or the error of its decoding. Decoding an attempt itself does not fail, so the other members are
/// decoded, too. It has a separate decoder, so its errors have their coding path.
enum DecodingAttempt<Value: Decodable>: Decodable {
    case value(Value)
    case failure(MappingError)

    init(from decoder: any Decoder) throws {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        do {
            // Through a container: the decoder's strategies apply to values requested from it, not to a direct
            // `init(from:)`.
            let value = try decoder.singleValueContainer().decode(Value.self)
            // What an element has reported has the element's type, as far as it has no owner.
            log?.own(since: mark, inside: JsonPath(decoder.codingPath), by: ownerName(of: Value.self))
            self = .value(value)
        } catch let error as CancellationError {
            throw error
        } catch {
            log?.remove(since: mark)
            let json = (try? Json(from: decoder)) ?? .null
            self = .failure(Self.described(error, of: json, at: JsonPath(decoder.codingPath)))
        }
    }

    /// The error of the value, which is the whole of `json`.
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
    /// The elements of an array that could be read. Read one at a time: an element that fails takes no memory of its
    /// type.
    static func values(in decoder: any Decoder, of type: Any.Type, tolerating loss: Double) throws -> [Value] {
        var visitor = ElementVisitor.salvaging(loss, in: decoder)
        if let decoder = decoder as? ValueDecoder,
            let values = try decoder.salvagedElements(of: Value.self, &visitor)
        {
            return values
        }
        var container = try naming(type) { try decoder.unkeyedContainer() }
        var values: [Value] = []
        var count = 0
        while !container.isAtEnd {
            // Appended inside, because an optional of the element would be a type that is looked up for each of them.
            _ = try visitor.visit(.index(count), owner: ownerName(of: Value.self)) {
                values.append(try next(of: &container, at: JsonPath(decoder.codingPath).appending(.index(count))))
            }
            count += 1
            // Of a decoder that stays at an element that is not JSON either, nothing more can be read.
            if container.currentIndex < count {
                throw MappingError(MappingIssue(.foreign, path: JsonPath(decoder.codingPath)))
            }
        }
        try visitor.finish(count: count)
        return values
    }

    /// The members of an object that could be read, and the reasons why the others could not.
    static func members(in decoder: any Decoder, of type: Any.Type) throws -> [String: HeldOutcome<Value>] {
        try naming(type) { try decoder.singleValueContainer().decode([String: HeldOutcome<Value>].self) }
    }

    /// Reads the next element. A container stays at an element that it cannot read, so a failure skips it.
    private static func next(
        of container: inout any UnkeyedDecodingContainer,
        at path: @autoclosure () -> JsonPath
    ) throws -> Value {
        let index = container.currentIndex
        do {
            return try container.decode(Value.self)
        } catch let error as CancellationError {
            throw error
        } catch {
            let json = container.currentIndex == index ? try? container.decode(Json.self) : nil
            throw described(error, of: json ?? .null, at: path())
        }
    }
}

/// An attempt with its value on the heap: many failures of a large type take no memory for its values.
enum HeldOutcome<Value: Decodable>: Decodable, DecodingOutcome {
    indirect case value(Value)
    case failure(MappingError)

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

/// An attempt as a member of a dictionary.
protocol DecodingOutcome {}
