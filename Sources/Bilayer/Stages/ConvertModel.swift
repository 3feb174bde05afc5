/// Turns a model into its DTO: the first step on the way to the server.
public struct ConvertModel<Model: DTOEncodable & Sendable>: Node where Model.DTO: Sendable {
    /// Makes the stage.
    public init() {}

    /// Turns the model, away from the caller's actor.
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
