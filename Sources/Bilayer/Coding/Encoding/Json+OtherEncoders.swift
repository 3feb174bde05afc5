import Foundation

// Encoding to an encoder of another library, value by value. A value that the encoder would change is an error.
extension Json {
    /// Writes this value with an encoder of another library.
    /// - Throws: `EncodingError` if the encoder cannot represent the value exactly, if two keys are equal strings, or
    ///   if the value is nested too deeply. Also throws what the encoder throws.
    func encode(to encoder: any Encoder, of coder: OtherCoder) throws {
        let levels = encoder.codingPath.count + (kind == .object || kind == .array ? 1 : 0)
        guard levels <= Self.maximumDepthInCode else {
            throw unwritable(at: encoder.codingPath, "Expected at most \(Self.maximumDepthInCode) levels of nesting.")
        }
        if StackSpace.isLow {
            let reason = "The thread's stack is too small for more than \(encoder.codingPath.count) levels of nesting."
            throw unwritable(at: encoder.codingPath, reason)
        }
        switch kind {
        case .object: try encodeMembers(to: encoder, of: coder)
        case .array:
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .number:
            var container = encoder.singleValueContainer()
            try encodeNumber(to: &container, of: coder)
        case .string:
            if coder == .propertyList, string == "$null" {
                throw unwritable(at: encoder.codingPath, "Property lists use this string for null.")
            }
            var container = encoder.singleValueContainer()
            try container.encode(string)
        case .bool:
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }

    /// Writes the members of an object. Keys that differ in their bytes can be equal strings, and would be one key in
    /// the output.
    private func encodeMembers(to encoder: any Encoder, of coder: OtherCoder) throws {
        var values: [String: Json] = [:]
        for (key, value) in members where values.updateValue(value, forKey: key) != nil {
            throw unwritable(at: encoder.codingPath, "Expected different keys, found two that are equal strings.")
        }
        if coder == .foundationJson {
            // The keys are data, and a key strategy of Foundation leaves only the keys of dictionaries unchanged.
            var container = encoder.singleValueContainer()
            try container.encode(values)
        } else {
            var container = encoder.container(keyedBy: PathKey.self)
            for (key, value) in members { try container.encode(value, forKey: PathKey(key)) }
        }
    }

    /// Writes a number as the first of these types that represents it exactly: `Int64`, `UInt64`, `Double`, and for
    /// Foundation's JSON encoder `Decimal`.
    private func encodeNumber(to container: inout any SingleValueEncodingContainer, of coder: OtherCoder) throws {
        // An integer would lose the sign of -0. The last test excludes numbers that are too small for a double.
        if let double, double == 0, numberText?.hasPrefix("-") == true, self == 0 {
            try container.encode(double)
        } else if let int64 {
            try container.encode(int64)
        } else if let uint64 {
            try container.encode(uint64)
        } else if let double, Json(double) == self {
            try container.encode(double)
        } else if let decimal, coder == .foundationJson {
            try container.encode(decimal)
        } else {
            let types = coder == .foundationJson ? "Int64, UInt64, Double or Decimal" : "Int64, UInt64 or Double"
            throw unwritable(at: container.codingPath, "Found a number that is not exactly \(types).")
        }
    }

    /// Makes an error that contains the value's JSON type, never the value.
    private func unwritable(at path: [any CodingKey], _ reason: String) -> EncodingError {
        .invalidValue(kind, .init(codingPath: path, debugDescription: reason))
    }
}
