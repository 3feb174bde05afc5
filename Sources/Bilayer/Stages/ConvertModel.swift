/// Converts a model to its DTO: the first step of the request encoding.
public struct ConvertModel<Model: DTOEncodable & Sendable>: Node where Model.DTO: Sendable {
    /// Makes the node.
    public init() {}

    /// Converts the model on the concurrent pool.
    /// - Returns: The DTO.
    /// - Throws: ``MappingError``.
    @concurrent
    public func process(_ model: Model, in context: CallContext) async throws -> Model.DTO {
        try context.mapping { try model.converted() }
    }
}

extension ConvertModel: CustomStringConvertible {
    /// The stage's name.
    public var description: String { typeName(Self.self) }
}
