import Foundation

extension Json: Decodable {
    /// Reads whatever stands at the decoder's place.
    ///
    /// From a ``JsonDecoder`` this is a view of the document: exact, and nothing is copied. From another decoder, Foundation's for
    /// example, the value is put together from what that one tells, with integers and decimals kept exact as far as it can.
    /// - Parameter decoder: Where to read.
    /// - Throws: What the decoder throws; `DecodingError.dataCorrupted` if it has something that JSON has not.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = decoder.state.context.json(at: decoder.state.position)
        } else if let decoder = decoder as? RecordingDecoder {
            try self.init(from: decoder.base)
        } else if let container = try? decoder.container(keyedBy: PathKey.self) {
            self.init(
                members: try container.allKeys.map { key in
                    (key: key.stringValue, value: try container.decode(Json.self, forKey: key))
                }
            )
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Json] = []
            while !container.isAtEnd { elements.append(try container.decode(Json.self)) }
            self.init(elements)
        } else {
            try self.init(scalarIn: decoder.singleValueContainer())
        }
    }

    private init(scalarIn container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self.init(value)
        } else if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Decimal.self), let number = Json(value) {
            self = number
        } else if let value = try? container.decode(Double.self), let number = Json(value) {
            self = number
        } else if let value = try? container.decode(String.self) {
            self.init(value)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "JSON has no such value.")
        }
    }
}
