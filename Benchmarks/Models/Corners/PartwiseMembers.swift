/// Members that are written through separate encoders and containers, as in generated or hand-written code.
struct PartwiseMembers: Codable, Equatable {
    var numbers: [String: Int]
    var lists: [[Int]]

    private enum CodingKeys: CodingKey { case numbers, lists }

    init(count: Int) {
        numbers = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) })
        lists = (0..<count).map { [$0, $0 + 1] }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var members = container.nestedContainer(keyedBy: DynamicMembers.Key.self, forKey: .numbers)
        for (key, value) in numbers {
            try value.encode(to: members.superEncoder(forKey: DynamicMembers.Key(stringValue: key)))
        }
        var outer = container.nestedUnkeyedContainer(forKey: .lists)
        for list in lists {
            var inner = outer.nestedUnkeyedContainer()
            for number in list { try inner.encode(number) }
        }
    }
}
