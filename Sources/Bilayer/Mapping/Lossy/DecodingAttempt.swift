/// A decoded element, or the error of its decoding. Decoding an attempt itself does not fail, so the container advances
/// to the next element. It has a separate decoder, so its errors have their coding path.
enum DecodingAttempt<Value: Decodable>: Decodable {
    case value(Value)
    case failure(MappingError)

    init(from decoder: any Decoder) throws {
        let session = IssueLog.current
        let mark = session?.mark ?? 0
        do {
            // Through a container: the decoder's strategies apply to values requested from it, not to a direct
            // `init(from:)`.
            self = .value(try decoder.singleValueContainer().decode(Value.self))
        } catch let error as CancellationError {
            throw error
        } catch {
            session?.forget(since: mark)
            self = .failure(Self.described(error, in: decoder))
        }
    }

    private static func described(_ error: any Error, in decoder: any Decoder) -> MappingError {
        let place = JsonPath(decoder.codingPath)
        switch error {
        case let error as MappingError: return error
        case let error as DecodingError:
            let json = (try? Json(from: decoder)) ?? .null
            return MappingError(error, in: json, at: place, owner: Value.self)
        default: return MappingError(wrapping: error).prefixed(by: place)
        }
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
    ///
    /// Reading an outcome fails only at a limit of the decoder: a value that is too deep. The decoder does not advance
    /// then, so the error ends the whole array.
    static func values(in decoder: any Decoder, of type: Any.Type, tolerating loss: Double) throws -> [Value] {
        var container = try naming(type) { try decoder.unkeyedContainer() }
        var visitor = ElementVisitor.salvaging(loss, at: JsonPath(decoder.codingPath))
        var values: [Value] = []
        var count = 0
        while !container.isAtEnd {
            let outcome = try container.decode(DecodingAttempt.self)
            let value = try visitor.visit(.index(count), owner: typeName(Value.self)) { try outcome.get() }
            if let value { values.append(value) }
            count += 1
        }
        try visitor.finish(count: count)
        return values
    }

    /// The members of an object that could be read, and the reasons why the others could not.
    static func members(in decoder: any Decoder, of type: Any.Type) throws -> [String: HeldOutcome<Value>] {
        try naming(type) { try decoder.singleValueContainer().decode([String: HeldOutcome<Value>].self) }
    }

    /// Makes a container of attempts. It fails only if the value is no such container; the error then has the type that
    /// the entry declares.
    private static func naming<Container>(_ type: Any.Type, _ make: () throws -> Container) throws -> Container {
        do {
            return try make()
        } catch DecodingError.typeMismatch(_, let context) {
            throw DecodingError.typeMismatch(type, context.naming(type))
        } catch DecodingError.valueNotFound(_, let context) {
            throw DecodingError.valueNotFound(type, context.naming(type))
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

extension DecodingError.Context {
    fileprivate func naming(_ type: Any.Type) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "Expected \(typeName(type)), found another type of value.",
            underlyingError: underlyingError
        )
    }
}

/// An attempt as a member of a dictionary.
protocol DecodingOutcome {}
