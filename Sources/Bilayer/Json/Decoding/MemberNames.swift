/// The members of an object by the names that types ask for: after the key strategy, and with one member for each name.
final class MemberNames {
    /// Index positions of values.
    let positions: [String: Int]
    /// The names in the order of the document.
    let order: [String]

    init(of nodes: JsonNodes, at object: Int, context: DecodingContext, path: [any CodingKey]) {
        let strategy = context.settings.keys
        let count = nodes.words.memberCount(at: object)
        var positions: [String: Int] = [:]
        var order: [String] = []
        positions.reserveCapacity(count)
        order.reserveCapacity(count)
        var key = nodes.firstChild(of: object)
        for _ in 0..<count {
            let name = strategy.name(for: nodes.string(at: key), path: path)
            if positions[name] == nil {
                positions[name] = key &+ 1
                order.append(name)
            } else if !context.firstWins {
                positions[name] = key &+ 1
            }
            key = nodes.words.next(after: key &+ 1)
        }
        self.positions = positions
        self.order = order
    }
}

extension JsonDecoder.KeyStrategy {
    /// Whether types see other names than the document has.
    var isConverting: Bool {
        if case .useDefaultKeys = self { return false }
        return true
    }

    /// The name that types see.
    fileprivate func name(for name: String, path: [any CodingKey]) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertFromSnakeCase: SnakeCase.toCamelCase(name)
        case .custom(let convert): convert(path + [PathKey(name)]).stringValue
        }
    }
}
