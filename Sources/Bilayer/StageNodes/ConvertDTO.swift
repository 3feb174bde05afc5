/// Makes a model from its DTO: the second of the two mapping steps.
public struct ConvertDTO<Model: DTODecodable & Sendable>: Node where Model.DTO: Sendable {
    /// Makes the node.
    public init() {}

    /// Makes the model on the concurrent pool.
    /// - Returns: The model.
    /// - Throws: ``MappingError``, or a `CancellationError` of the app's code. Mapping is synchronous and does not
    ///   check for cancellation.
    @concurrent
    public func process(_ dto: Model.DTO, in context: CallContext) async throws -> Model {
        try context.mappingResponse { try Model.converted(from: dto) }
    }
}

extension ConvertDTO: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
