extension Json {
    /// Reads the elements of an array that can be read. The others are left out, and each of them is reported.
    ///
    /// ```swift
    /// let photos: [PhotoEntry] = try json.decodeLossy("photos")
    /// ```
    /// - Parameters:
    ///   - key: The key of the array.
    ///   - loss: The part that may be left out, from 0 to 1. A lower limit of the policy takes precedence. It is always
    ///     an error if all elements are lost.
    /// - Returns: The elements in their order.
    /// - Throws: ``MappingError`` if there is no array, or if the loss exceeds the limit. Under a policy that treats
    ///   warnings as errors, also if an element cannot be read.
    public func decodeLossy<Value: RawDecodable>(_ key: String, tolerating loss: Double = 1) throws -> [Value]
    where Value.Raw == Json {
        try collection(key, .array, [Value].self) { array in
            try array.elements.mapElements(visitor: .salvaging(loss), owner: ownerName(of: Value.self)) {
                try Value.from(part: $0)
            }
        }
    }

    /// Reads the elements of an array that can be read. Of equal elements, one is kept.
    /// - Parameters:
    ///   - key: The key of the array.
    ///   - loss: The part that may be left out, from 0 to 1. A lower limit of the policy takes precedence. It is always
    ///     an error if all elements are lost.
    /// - Returns: The elements.
    /// - Throws: ``MappingError`` if there is no array, or if the loss exceeds the limit. Under a policy that treats
    ///   warnings as errors, also if an element cannot be read.
    public func decodeLossy<Value: RawDecodable>(_ key: String, tolerating loss: Double = 1) throws -> Set<Value>
    where Value.Raw == Json {
        Set(try decodeLossy(key, tolerating: loss) as [Value])
    }

    /// Reads the members of an object that can be read. The others are left out, and each of them is reported.
    /// - Parameters:
    ///   - key: The key of the object.
    ///   - loss: The part that may be left out, from 0 to 1. A lower limit of the policy takes precedence. It is always
    ///     an error if all members are lost.
    /// - Returns: The members.
    /// - Throws: ``MappingError`` if there is no object, or if the loss exceeds the limit. Under a policy that treats
    ///   warnings as errors, also if a member cannot be read.
    public func decodeLossy<Key: CodingKeyRepresentable, Value: RawDecodable>(
        _ key: String,
        tolerating loss: Double = 1
    ) throws -> [Key: Value] where Value.Raw == Json {
        try collection(key, .object, [Key: Value].self) { object in
            let counting = object.effectiveMembers
            let members = try counting.mapMembers(
                count: counting.count,
                owner: ownerName(of: Value.self),
                visitor: .salvaging(loss),
                name: { $0 },
                transform: { (try Key.read($0, at: .root), try Value.from(part: $1)) }
            )
            return counting.dictionary(of: members.lazy.map(\.value))
        }
    }

    private func collection<Container>(
        _ key: String,
        _ kind: Kind,
        _ type: Container.Type,
        _ read: (Json) throws -> Container
    ) throws -> Container {
        guard self.kind == .object else { throw notObject }
        let member: Json
        do {
            member = try self[key].require(key)
        } catch {
            throw MappingError.settingContainer(of: error, to: self)
        }
        return try readPart(member, at: .key(key)) {
            guard member.kind == kind else { throw MappingError(.wrongType(in: member, expected: type)) }
            return try read(member)
        }
    }
}
