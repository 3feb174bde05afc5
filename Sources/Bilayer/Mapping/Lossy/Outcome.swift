/// An element that was read, or the reason why it was not. It can always be read itself, so the container around it goes on to
/// the next element whatever this one is; and it has a decoder of its own, so its errors know their place.
enum Outcome<Value: Decodable>: Decodable {
    case value(Value)
    case failure(MappingError)

    init(from decoder: any Decoder) throws {
        let session = MappingSession.current
        let mark = session?.mark ?? 0
        do {
            // Through a container: the decoder's strategies are for values that are asked for, not for those that read themselves.
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

extension Outcome {
    /// The elements of an array that could be read.
    static func values(in decoder: any Decoder, of type: Any.Type, tolerating loss: Double) throws -> [Value] {
        let outcomes = try read([Outcome].self, from: decoder, as: type)
        var visitor = ElementVisitor.salvaging(loss, at: JsonPath(decoder.codingPath))
        var values: [Value] = []
        values.reserveCapacity(outcomes.count)
        for (index, outcome) in outcomes.enumerated() {
            if let value = try visitor.visit(.index(index), owner: nil, { try outcome.get() }) { values.append(value) }
        }
        try visitor.finish(count: outcomes.count)
        return values
    }

    /// Reads a container of outcomes. It can only fail for not being that container, and the error then names the type that
    /// the entry declares.
    static func read<Container: Decodable>(
        _ container: Container.Type,
        from decoder: any Decoder,
        as type: Any.Type
    ) throws -> Container {
        do {
            return try decoder.singleValueContainer().decode(container)
        } catch DecodingError.typeMismatch(_, let context) {
            throw DecodingError.typeMismatch(type, context.naming(type))
        } catch DecodingError.valueNotFound(_, let context) {
            throw DecodingError.valueNotFound(type, context.naming(type))
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
