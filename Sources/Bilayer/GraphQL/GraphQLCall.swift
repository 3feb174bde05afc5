/// What middlewares know of the operation that a call makes.
struct GraphQLCall: CallOption, Hashable {
    let kind: GraphQLOperationKind
    let name: String?

    init<Operation: GraphQLOperation>(of operation: Operation) {
        kind = Operation.kind
        name = Operation.name
    }
}
