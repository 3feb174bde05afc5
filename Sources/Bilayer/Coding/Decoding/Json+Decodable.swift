import Foundation

extension Json: Decodable {
    /// Reads the decoder's value.
    ///
    /// With a ``JsonDecoder``, the result is a view of the document: exact, and made without a copy. With any other
    /// decoder, for example Foundation's, the result is made from the values that the decoder returns.
    ///
    /// Foundation's JSON decoder rounds a number with more digits than a `Decimal` can have. It rounds a number beyond
    /// the exponents of `Decimal` to a `Double`. If the result has 38 or more digits, it may have been rounded and is
    /// refused. A number that was rounded to fewer digits cannot be detected.
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: What the decoder throws. Also `DecodingError.dataCorrupted` for a value without a JSON form, such as a
    ///   date in a property list, for a number that may be rounded, and for nesting that is too deep for the thread's
    ///   stack.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            self = decoder.state.context.json(at: decoder.state.position)
        } else if let decoder = decoder as? any WrappingDecoder {
            try self.init(from: decoder.base)
        } else {
            try self.init(from: decoder, of: OtherCoder(type(of: decoder)))
        }
    }
}

// Reading from a decoder of another library.
extension Json {
    private init(from decoder: any Decoder, of coder: OtherCoder) throws {
        if StackSpace.isLow {
            let path = decoder.codingPath
            let reason = "The thread's stack is too small for more than \(path.count) levels of nesting."
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: reason))
        }
        if let container = try? decoder.container(keyedBy: PathKey.self) {
            try self.init(membersIn: container, from: decoder, of: coder)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Json] = []
            while !container.isAtEnd { elements.append(try container.decode(Json.self)) }
            self.init(elements)
        } else {
            try self.init(scalarIn: decoder.singleValueContainer(), of: coder)
        }
    }

    private init(
        membersIn container: KeyedDecodingContainer<PathKey>,
        from decoder: any Decoder,
        of coder: OtherCoder
    ) throws {
        if coder == .foundationJson {
            // The keys are data, and a key strategy of Foundation leaves only the keys of dictionaries unchanged.
            let members = try decoder.singleValueContainer().decode([String: Json].self)
            self.init(members: members.map { (key: $0.key, value: $0.value) })
        } else {
            self.init(
                members: try container.allKeys.map { key in
                    (key: key.stringValue, value: try container.decode(Json.self, forKey: key))
                }
            )
        }
    }

    private init(scalarIn container: any SingleValueDecodingContainer, of coder: OtherCoder) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self.init(value)
        } else if let number = try Json(numberIn: container, of: coder) {
            self = number
        } else if let value = try? container.decode(String.self) {
            self.init(value)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "JSON has no such value.")
        }
    }

    private init?(numberIn container: any SingleValueDecodingContainer, of coder: OtherCoder) throws {
        let double = try? container.decode(Double.self)
        if let double, double == 0, double.sign == .minus {
            self.init(double)
        } else if coder != .foundationJson, let value = try? container.decode(Int64.self) {
            // Foundation's JSON decoder rounds integers. Its numbers are read as a `Decimal` below, which is exact.
            self.init(value)
        } else if coder != .foundationJson, let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Decimal.self), value.isFinite {
            try self.init(unrounded: value, in: container)
        } else if let double {
            self.init(double)
        } else {
            return nil
        }
    }

    private init(unrounded value: Decimal, in container: any SingleValueDecodingContainer) throws {
        let number = JsonNumber(text: value.description.utf8)
        guard number.digits.count < Self.digitsOfDecimal else {
            let reason = "Found a number with all the digits of a Decimal, which the decoder may have rounded."
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        self.init(.number(value.description))
    }

    /// The number of digits up to which a `Decimal` represents every number exactly.
    private static let digitsOfDecimal = 38
}
