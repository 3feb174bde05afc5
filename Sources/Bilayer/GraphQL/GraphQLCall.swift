/// The kind and the name of a call's operation, as a call option that middlewares read.
struct GraphQLCall: CallOption, Hashable {
    let kind: GraphQLOperationKind
    let name: String?

    init<Operation: GraphQLOperation>(of operation: Operation) {
        kind = Operation.kind
        name = Operation.name
    }
}
