import Bilayer
import Foundation
import Testing

@Suite("Properties that are written twice", .smallStack)
struct RepeatedPropertyTests {
    class Base: Encodable {
        let userId = 1

        enum CodingKeys: String, PathCodingKey {
            case userId
            static let paths: [CodingKeys: [String]] = [.userId: ["user.id"]]
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(userId, forKey: .userId)
        }
    }

    final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(2, forKey: .userId)
        }
    }

    enum PlainKeys: String, CodingKey { case userId, userID }

    /// An entry that a closure writes. Its keys follow the naming of the conventions.
    struct Written: Encodable, RawEncodable {
        let write: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    @Test("one property with a path that is written twice is no clash")
    func oneProperty() throws {
        var conventions = CodingConventions()
        for naming in [nil, KeyNaming.snakeCase] {
            conventions.keys = naming
            let path = mapping(.strict, conventions) { try Written { try Derived().encode(to: $0) }.toRaw() }
            #expect(path.value == ["user": ["id": 2]] && path.issues.isEmpty)
        }
    }

    struct Head: Encodable {
        var id = "head"

        enum CodingKeys: String, PathCodingKey {
            case id
            static let paths: [CodingKeys: [String]] = [.id: ["meta.id"]]
        }
    }

    struct Tail: Encodable {
        var id = 77

        enum CodingKeys: String, PathCodingKey {
            case id
            static let paths: [CodingKeys: [String]] = [.id: ["meta.id"]]
        }
    }

    struct Meta: Encodable {
        var meta = 5

        enum CodingKeys: String, PathCodingKey {
            case meta
            static let paths: [CodingKeys: [String]] = [.meta: ["meta.v"]]
        }
    }

    enum NestingKeys: String, CodingKey { case meta, id }

    private static func writeNested(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: NestingKeys.self)
        var nested = container.nestedContainer(keyedBy: NestingKeys.self, forKey: .meta)
        try nested.encode(1, forKey: .id)
    }

    @Test("two properties of the same name at one path are a clash", arguments: [nil, KeyNaming.snakeCase])
    func equalNames(naming: KeyNaming?) {
        let programs: [(Json, @Sendable (any Encoder) throws -> Void)] = [
            (
                ["meta": ["id": 77]],
                {
                    try Head().encode(to: $0)
                    try Tail().encode(to: $0)
                }
            ),
            (
                ["meta": ["id": "head"]],
                {
                    try Self.writeNested($0)
                    try Head().encode(to: $0)
                }
            ),
            (
                ["meta": ["id": 1]],
                {
                    try Head().encode(to: $0)
                    try Self.writeNested($0)
                }
            ),
            (
                ["meta": 3],
                { encoder in
                    try Meta().encode(to: encoder)
                    var container = encoder.container(keyedBy: NestingKeys.self)
                    try container.encode(3, forKey: .meta)
                }
            ),
        ]
        var conventions = CodingConventions()
        conventions.keys = naming
        for (value, program) in programs {
            let mapped = mapping(.standard, conventions) { try Written { try program($0) }.toRaw() }
            #expect(mapped.value == value)
            #expect(mapped.issues.map(\.kind) == [.keyClash])
            #expect(mapping(.strict, conventions) { try Written { try program($0) }.toRaw() }.value == nil)
        }
    }

    @Test("a clash is reported once, however often the second property is written")
    func once() {
        let mapped = mapping(.standard) {
            try Written {
                try Head().encode(to: $0)
                for _ in 1...3 { try Tail().encode(to: $0) }
            }
            .toRaw()
        }
        #expect(mapped.issues.map(\.kind) == [.keyClash])
    }

    @Test("one property that is written several times under a naming is no clash")
    func onePropertyUnderANaming() {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let programs: [@Sendable (any Encoder) throws -> Void] = [
            { encoder in
                var container = encoder.container(keyedBy: PlainKeys.self)
                for value in 1...3 { try container.encode(value, forKey: .userId) }
                try container.encodeNil(forKey: .userId)
                try container.encode(1, forKey: .userId)
            },
            { encoder in
                // Another key with this name fails, and only one property is left.
                var container = encoder.container(keyedBy: PlainKeys.self)
                try? container.encode(Double.nan, forKey: .userID)
                try container.encode(2, forKey: .userId)
                try? container.encode(Double.nan, forKey: .userId)
                try container.encode(1, forKey: .userId)
            },
        ]
        // In every order, because a coder keeps what it knows of a key type from one call to the next.
        for program in programs + programs.reversed() {
            let mapped = mapping(.strict, conventions) { try Written { try program($0) }.toRaw() }
            #expect(mapped.value == ["user_id": 1] && mapped.issues.isEmpty)
        }
    }

    @Test("another property under the name of one that failed, and then that one again, are a clash")
    func afterAFailure() {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let mapped = mapping(.standard, conventions) {
            try Written {
                var container = $0.container(keyedBy: PlainKeys.self)
                try? container.encode(Double.nan, forKey: .userId)
                try container.encode(2, forKey: .userID)
                try container.encode(3, forKey: .userId)
            }
            .toRaw()
        }
        #expect(mapped.value == ["user_id": 3])
        #expect(mapped.issues.map(\.kind) == [.keyClash])
    }

    @Test("two properties whose names become one are a clash, also after one of them was written twice")
    func twoProperties() {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        for repeats in [1, 2] {
            let mapped = mapping(.standard, conventions) {
                try Written {
                    var plain = $0.container(keyedBy: PlainKeys.self)
                    for value in 1...repeats { try plain.encode(value, forKey: .userId) }
                    try plain.encode(9, forKey: .userID)
                }
                .toRaw()
            }
            #expect(mapped.value == ["user_id": 9])
            #expect(mapped.issues.map(\.kind) == [.keyClash])
        }
    }

    struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// A property and how often it is written.
    private static func writing<Key: CodingKey>(_ keys: Key...) -> @Sendable (any Encoder) throws -> Void {
        { encoder in
            var container = encoder.container(keyedBy: Key.self)
            for (value, key) in keys.enumerated() { try container.encode(value, forKey: key) }
        }
    }

    private static func nesting<Key: CodingKey>(_ key: Key, _ inner: Key, in encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
        try nested.encode(1, forKey: inner)
    }

    private func snakeCase(
        _ policy: MappingPolicy,
        _ program: @escaping @Sendable (any Encoder) throws -> Void
    ) -> (value: Json?, error: (any Error)?, issues: [MappingIssue]) {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        let mapped = mapping(policy, conventions) { try Written(write: program).toRaw() }
        return (mapped.value, mapped.error, mapped.issues)
    }

    @Test("one property of keys with any name is no clash under a naming, and two are one")
    func keysWithAnyName() {
        let one = snakeCase(.strict, Self.writing(AnyName("userId"), AnyName("userId")))
        #expect(one.value == ["user_id": 1] && one.issues.isEmpty)
        let two = snakeCase(.standard, Self.writing(AnyName("userId"), AnyName("user_id")))
        #expect(two.value == ["user_id": 1])
        #expect(two.issues.map(\.kind) == [.keyClash])
        let base = snakeCase(.strict) { encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            try 1.encode(to: container.superEncoder())
            try 2.encode(to: container.superEncoder())
        }
        #expect(base.value == ["super": 2] && base.issues.isEmpty)
    }

    @Test("a property that is written twice is no clash, whatever was written before in other values")
    func noHistory() {
        // Each type is new, so that its first value is the first of the process.
        enum First: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case meta
        }
        enum Second: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case meta
        }
        func isRight(_ program: @escaping @Sendable (any Encoder) throws -> Void) -> Bool {
            let mapped = snakeCase(.strict, program)
            return mapped.value == ["foo_bar": 0, "meta": 2] && mapped.issues.isEmpty
        }
        #expect(isRight(Self.writing(First.fooBar, .meta, .meta)))
        // From now on, two keys of the type are known to share a name.
        #expect(snakeCase(.strict, Self.writing(Second.fooBar)).value == ["foo_bar": 0])
        #expect(snakeCase(.strict, Self.writing(Second.snake)).value == ["foo_bar": 0])
        #expect(isRight(Self.writing(Second.fooBar, .meta, .meta)))
        #expect(isRight(Self.writing(Second.snake, .meta, .meta)))
        let clash = snakeCase(.standard, Self.writing(Second.fooBar, .meta, .meta, .snake))
        #expect(clash.issues.map(\.path.description) == ["$.foo_bar"])
    }

    @Test("a nested container at a place that another property of the type has written is an error, each time")
    func nestedContainers() {
        enum First: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case value
        }
        enum Second: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case value
        }
        enum Third: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case value
        }
        enum Pathed: String, PathCodingKey {
            case one, other
            static let paths: [Pathed: [String]] = [.one: ["x.y"], .other: ["x.y"]]
        }
        let programs: [@Sendable (any Encoder) throws -> Void] = [
            { encoder in
                try Self.writing(First.fooBar)(encoder)
                try Self.nesting(First.snake, .value, in: encoder)
            },
            { encoder in
                try Self.nesting(Second.fooBar, .value, in: encoder)
                try Self.nesting(Second.snake, .value, in: encoder)
            },
            { encoder in
                var container = encoder.container(keyedBy: Third.self)
                var nested = container.nestedUnkeyedContainer(forKey: .fooBar)
                try nested.encode(1)
                nested = container.nestedUnkeyedContainer(forKey: .snake)
                try nested.encode(2)
            },
            { encoder in
                var container = encoder.container(keyedBy: Pathed.self)
                for key in [Pathed.one, .other] {
                    var nested = container.nestedContainer(keyedBy: AnyName.self, forKey: key)
                    try nested.encode(1, forKey: AnyName(key.rawValue))
                }
            },
        ]
        // Places that are equal under the naming only, and two containers of one encoder.
        enum Named: String, PathCodingKey {
            case userURL, userUrl
            static let paths: [Named: [String]] = [:]
        }
        func nesting<Key: CodingKey>(_ keys: Key...) -> @Sendable (any Encoder) throws -> Void {
            { encoder in
                for key in keys {
                    var container = encoder.container(keyedBy: Key.self)
                    var nested = container.nestedContainer(keyedBy: AnyName.self, forKey: key)
                    try nested.encode(1, forKey: AnyName("x"))
                }
            }
        }
        for program in programs + [nesting(Named.userURL, .userUrl), nesting(Pathed.one, .other)] {
            for _ in 1...3 {
                let mapped = snakeCase(.standard, program)
                #expect(mapped.value == nil)
                let text = "\(mapped.error ?? CancellationError())"
                #expect(text.contains("A nested container for a key that has a value"))
            }
        }
    }

    @Test("a nested container is continued by its own property, and by one of another type")
    func continuedContainers() {
        enum Base: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case id
        }
        enum Derived: String, CodingKey {
            case fooBar
            case snake = "foo_bar"
            case name
        }
        for _ in 1...2 {
            let mapped = snakeCase(.strict) { encoder in
                try Self.nesting(Base.fooBar, .id, in: encoder)
                try Self.nesting(Base.fooBar, .snake, in: encoder)
                try Self.nesting(Derived.fooBar, .name, in: encoder)
            }
            #expect(mapped.value == ["foo_bar": ["id": 1, "foo_bar": 1, "name": 1]])
            #expect(mapped.issues.isEmpty)
        }
    }

    @Test("a container of keys with paths that is used after its call writes nothing, also at a place that was written")
    func afterTheCall() throws {
        enum Pathed: String, PathCodingKey {
            case one, other
            static let paths: [Pathed: [String]] = [.one: ["x.y"], .other: ["x.y"]]
        }
        final class Kept: Encodable {
            var container: KeyedEncodingContainer<Pathed>?

            func encode(to encoder: any Encoder) throws {
                container = encoder.container(keyedBy: Pathed.self)
                var nested = container?.nestedContainer(keyedBy: AnyName.self, forKey: .one)
                try nested?.encode(1, forKey: AnyName("v"))
            }
        }
        let kept = Kept()
        #expect(try Json(parsing: JsonEncoder().encode(kept)) == ["x": ["y": ["v": 1]]])
        for key in [Pathed.one, .other] {
            var nested = kept.container?.nestedContainer(keyedBy: AnyName.self, forKey: key)
            #expect(throws: EncodingError.self) { try nested?.encode(2, forKey: AnyName("v")) }
        }
        #expect(try Json(parsing: JsonEncoder().encode(Kept())) == ["x": ["y": ["v": 1]]])
    }

    @Test("all clashes of a value are thrown together, without a naming, too")
    func severalClashes() {
        enum Twice: String, PathCodingKey {
            case a, b, c, d
            static let paths: [Twice: [String]] = [.a: ["z"], .b: ["z"], .c: ["y"], .d: ["y"]]
        }
        let program = Self.writing(Twice.a, .b, .c, .d)
        let mapped = mapping(.strict) { try Written(write: program).toRaw() }
        #expect((mapped.error as? MappingError)?.issues.map(\.path.description) == ["$.z", "$.y"])
        #expect((snakeCase(.strict, program).error as? MappingError)?.issues.map(\.path.description) == ["$.z", "$.y"])
    }

    class Metadata: Encodable {
        let meta = ["v": 1]

        enum CodingKeys: String, CodingKey { case meta }
    }

    final class City: Metadata {
        enum CodingKeys: String, PathCodingKey {
            case city
            static let paths: [CodingKeys: [String]] = [.city: ["meta.city"]]
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("Oslo", forKey: .city)
            try super.encode(to: encoder)
        }
    }

    enum MetadataKeys: String, CodingKey { case meta, v }

    struct CityEntry: Encodable, RawEncodable {
        enum CodingKeys: String, PathCodingKey {
            case city
            static let paths: [CodingKeys: [String]] = [.city: ["meta.v"]]
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("Oslo", forKey: .city)
            var plain = encoder.container(keyedBy: MetadataKeys.self)
            var nested = plain.nestedContainer(keyedBy: MetadataKeys.self, forKey: .meta)
            try nested.encode(1, forKey: .v)
        }
    }

    @Test("a value at a path that another property replaces is a clash, and not lost silently")
    func replacedValue() {
        let whole = { try Written { try City().encode(to: $0) }.toRaw() }
        let part = { try CityEntry().toRaw() }
        #expect(mapping(.standard, CodingConventions(), whole).value == ["meta": ["v": 1]])
        #expect(mapping(.standard, CodingConventions(), part).value == ["meta": ["v": 1]])
        for (written, path) in [(whole, "$.meta"), (part, "$.meta.v")] {
            let mapped = mapping(.standard, CodingConventions(), written)
            #expect(mapped.issues.map(\.kind) == [.keyClash])
            #expect(mapped.issues.map(\.path.description) == [path])
            let refused = mapping(.strict, CodingConventions(), written).error as? MappingError
            #expect(refused?.issues.map(\.kind) == [.keyClash])
        }
    }
}
