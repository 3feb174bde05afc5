/// The kind and the name of a call's operation, as a call option for nodes, middlewares and ``Migration``.
struct GraphQLCall: CallOption, Hashable {
    let kind: GraphQLOperationKind
    let name: String?

    init<Operation: GraphQLOperation>(of operation: Operation) {
        kind = Operation.kind
        name = Operation.name
    }
}
