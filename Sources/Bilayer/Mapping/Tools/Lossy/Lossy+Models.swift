// Lossy conversion for `from(dto:)`. These are functions and no property wrapper, because `from(dto:)` is not
// synthesized.

extension Array where Element: DTODecodable {
    /// Makes the models that can be made. The others are left out, and each of them is reported.
    ///
    /// ```swift
    /// let photos = try [Photo].lossy(from: userEntry.photos, at: "photos")
    /// ```
    /// - Parameters:
    ///   - dto: The values of the lower layer.
    ///   - key: The field's key in the JSON: the field's name, unless `CodingKeys` rename it.
    ///   - loss: The part that may be left out, from 0 to 1. A lower limit of the policy takes precedence. It is always
    ///     an error if all models are lost.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/tooManyDropped``. Under a policy that treats warnings as
    ///   errors, the error of the first model that cannot be made; of all, if the policy also collects errors. Also
    ///   throws a `CancellationError` of a conversion.
    public static func lossy(
        from dto: [Element.DTO],
        at key: String? = nil,
        tolerating loss: Double = 1
    ) throws -> [Element] {
        try convertingElements(at: key) {
            try dto.mapElements(visitor: .salvaging(loss), owner: Element.conversion) { try Element.from(dto: $0) }
        }
    }
}

extension Array {
    /// Makes values with a closure. Values that cannot be made are left out, and each of them is reported.
    ///
    /// Choose it for a model that is made from several types and has no single DTO:
    ///
    /// ```swift
    /// let names = try [String].lossy(from: userEntry.photos, at: "photos") { photo in
    ///     try URL(string: photo.ref).require("ref").lastPathComponent
    /// }
    /// ```
    /// - Parameters:
    ///   - entries: The values of the lower layer.
    ///   - key: The field's key in the JSON: the field's name, unless `CodingKeys` rename it.
    ///   - loss: The part that may be left out, from 0 to 1. A lower limit of the policy takes precedence. It is always
    ///     an error if all values are lost.
    ///   - conversion: Makes the value of one entry.
    /// - Returns: The values in the same order.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/tooManyDropped``. Under a policy that treats warnings as
    ///   errors, the error of the first value that cannot be made; of all, if the policy also collects errors. Also
    ///   throws a `CancellationError` of a conversion.
    public static func lossy<Entry>(
        from entries: [Entry],
        at key: String? = nil,
        tolerating loss: Double = 1,
        _ conversion: (Entry) throws -> Element
    ) throws -> [Element] {
        try convertingElements(at: key) {
            let owner = "\(typeName(Entry.self)) -> \(typeName(Element.self))"
            return try entries.mapElements(visitor: .salvaging(loss), owner: owner, conversion)
        }
    }
}

extension Array where Element: DTODecodable {
    /// Makes the models of a list without its nulls, which are not reported. Paths in errors have the indices of the
    /// server's list.
    ///
    /// ```swift
    /// struct FeedEntry: Codable, RawMappable { let photos: [PhotoEntry?] }
    ///
    /// func photos(of entry: FeedEntry) throws -> [Photo] { try .compact(from: entry.photos, at: "photos") }
    /// ```
    /// - Parameters:
    ///   - dto: The values of the lower layer.
    ///   - key: The field's key in the JSON: the field's name, unless `CodingKeys` rename it.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with `key`. For an element that failed, the index follows.
    public static func compact(from dto: [Element.DTO?], at key: String? = nil) throws -> [Element] {
        try convertingElements(at: key) {
            var visitor = ElementVisitor(IssueLog.current)
            var models: [Element] = []
            var count = 0
            for (index, entry) in dto.enumerated() {
                guard let entry else { continue }
                count += 1
                let model = try visitor.visit(.index(index), owner: Element.conversion) { try Element.from(dto: entry) }
                if let model { models.append(model) }
            }
            try visitor.finish(count: count)
            return models
        }
    }
}

extension Set where Element: DTODecodable {
    /// Makes the models that can be made; see ``Swift/Array/lossy(from:at:tolerating:)``.
    /// - Throws: ``MappingError`` if more is lost than is tolerated. Under a policy that treats warnings as errors,
    ///   also if a model cannot be made.
    public static func lossy(
        from dto: [Element.DTO],
        at key: String? = nil,
        tolerating loss: Double = 1
    ) throws -> Set<Element> {
        Set(try [Element].lossy(from: dto, at: key, tolerating: loss))
    }
}

extension Dictionary where Key: CodingKeyRepresentable, Value: DTODecodable {
    /// Makes the models that can be made; see ``Swift/Array/lossy(from:at:tolerating:)``.
    /// - Throws: ``MappingError`` if more is lost than is tolerated. Under a policy that treats warnings as errors,
    ///   also if a model cannot be made.
    public static func lossy(
        from dto: [Key: Value.DTO],
        at key: String? = nil,
        tolerating loss: Double = 1
    ) throws -> [Key: Value] {
        try convertingElements(at: key) {
            try dto.mapMembers(visitor: .salvaging(loss), owner: Value.conversion) { try Value.from(dto: $0) }
        }
    }
}

/// Runs a conversion of elements. Prepends `key` to the paths of their errors and issues. Throws if the thread's stack
/// has no room for it.
private func convertingElements<Value>(at key: String?, _ convert: () throws -> Value) throws -> Value {
    try locating(at: key.map { .key($0) }) {
        try StackSpace.check()
        return try convert()
    }
}
