import Foundation

/// `Double` or `Float`: a type with values that JSON numbers cannot represent.
protocol FloatingPointValue: BinaryFloatingPoint {
    /// Returns the number at a position; `nil` if there is no number, or a number out of range.
    static func read(_ nodes: JsonNodes, at position: Int) -> Self?
}

extension Double: FloatingPointValue {
    @inline(__always)
    static func read(_ nodes: JsonNodes, at position: Int) -> Double? { nodes.double(at: position) }
}

extension Float: FloatingPointValue {
    /// Rounds once, from the digits. A conversion through `Double` would round twice.
    static func read(_ nodes: JsonNodes, at position: Int) -> Float? {
        guard nodes.tag(at: position).isNumber, let value = Float(nodes.text(at: position)), value.isFinite else {
            return nil
        }
        return value
    }
}

// MARK: - Values that throw

extension DecodingContext {
    func bool(at position: Int, _ node: CodingPathNode) throws -> Bool {
        if let value = nodes.bool(at: position) { return value }
        throw failure(Bool.self, at: position, node.path(in: nodes))
    }

    func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Integer {
        if let value = nodes.integerValue(type, at: position) { return value }
        throw failure(type, at: position, node.path(in: nodes))
    }

    func string(at position: Int, _ node: CodingPathNode) throws -> String {
        if let value = nodes.stringValue(at: position) { return value }
        throw failure(String.self, at: position, node.path(in: nodes))
    }

    func floatingPoint<Value: FloatingPointValue>(
        _ type: Value.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        try type.read(nodes, at: position) ?? nonConformingFloat(type, at: position, node)
    }

    /// Returns the infinity or NaN that a string represents under the strategy; throws for any other value.
    @inline(never)
    func nonConformingFloat<Value: FloatingPointValue>(
        _ type: Value.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        if case .convertFromString(let positive, let negative, let nan) = settings.nonConformingFloats,
            let text = nodes.stringValue(at: position)
        {
            if text == positive { return .infinity }
            if text == negative { return -.infinity }
            if text == nan { return .nan }
        }
        throw failure(type, at: position, node.path(in: nodes))
    }

    func decimal(at position: Int, _ node: CodingPathNode) throws -> Decimal {
        if let value = nodes.decimal(at: position) { return value }
        throw failure(Decimal.self, at: position, node.path(in: nodes))
    }

    func url(at position: Int, _ node: CodingPathNode) throws -> URL {
        if let url = URL(string: try string(at: position, node)) { return url }
        throw corrupted("The string is not a URL.", node)
    }

    /// Returns the value as a view that shares the document.
    func json(at position: Int) -> Json {
        document.map { Json(.view($0, position)) } ?? .null
    }
}

// MARK: - Dates and data

extension DecodingContext {
    func date(at position: Int, _ node: CodingPathNode) throws -> Date {
        if hasRFC3339Dates { return try rfc3339Date(at: position, node) }
        switch settings.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try floatingPoint(Double.self, at: position, node))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try floatingPoint(Double.self, at: position, node))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try floatingPoint(Double.self, at: position, node) / 1000)
        case .rfc3339, .iso8601:
            return try rfc3339Date(at: position, node)
        case .formatted(let formatter):
            if let date = formatter.date(from: try string(at: position, node)) { return date }
            throw corrupted("The string is not a date in the formatter's form.", node)
        case .custom(let make):
            return try withDecoder(at: position, node, make)
        }
    }

    private func rfc3339Date(at position: Int, _ node: CodingPathNode) throws -> Date {
        guard nodes.tag(at: position).isString else { throw failure(Date.self, at: position, node.path(in: nodes)) }
        guard let instant = nodes.rfc3339Instant(at: position, acceptingSpace: true) else {
            throw corrupted("The string is not an RFC 3339 date.", node)
        }
        return Date(instant)
    }

    func data(at position: Int, _ node: CodingPathNode) throws -> Data {
        switch settings.data {
        case .deferredToData:
            return try makeValue(Data.self, at: position, node)
        case .base64:
            if let data = Data(base64Encoded: try string(at: position, node)) { return data }
            throw corrupted("The string is not Base64.", node)
        case .custom(let make):
            return try withDecoder(at: position, node, make)
        }
    }
}
