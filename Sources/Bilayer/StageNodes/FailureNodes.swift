/// The nodes that decode the server's description of a failure from the body of a response that is not 2xx.
enum FailureNodes {
    static func asEntry<Failure>(_ type: Failure.Type) -> AnyNode<HTTPResponse, any Sendable>
    where Failure: RawDecodable & Sendable, Failure.Raw: RawBody {
        erased(ParseBody<Failure.Raw>().then(MapRaw<Failure>()))
    }

    static func asModel<Failure>(_ type: Failure.Type) -> AnyNode<HTTPResponse, any Sendable>
    where Failure: DTODecodable & Sendable, Failure.DTO: RawDecodable & Sendable, Failure.DTO.Raw: RawBody {
        erased(ParseBody<Failure.DTO.Raw>().then(MapRaw<Failure.DTO>()).then(ConvertDTO<Failure>()))
    }

    private static func erased<Failure: Sendable>(
        _ node: some Node<HTTPResponse, Failure>
    ) -> AnyNode<HTTPResponse, any Sendable> {
        AnyNode(node.then { failure, _ in failure as any Sendable })
    }
}
