import Bilayer

/// A change of a sample that breaks the contract or could break it.
struct Mutation {
    enum Change {
        case removal
        case null
        /// A value of another JSON type.
        case otherType
        /// An unusual value of the same JSON type.
        case otherValue
    }

    let path: JsonPath
    let change: Change
    /// The replacement value; `nil` for a removal.
    let value: Json?

    /// The mutation with another replacement value of the same type. If both mutations have the same result, the model
    /// does not have the changed value as it is.
    var alternative: Mutation {
        let other: Json? =
            switch value?.kind {
            case .string?: "another"
            case .number?: 11
            case .bool?: value?.bool.map { Json(!$0) }
            case .array?: [[]]
            case .object?, .null?, nil: value
            }
        return Mutation(path: path, change: change, value: other)
    }

    /// Returns the sample with the change.
    func applied(to sample: Json) -> Json {
        var copy = sample
        if let value {
            copy.set(value, at: path)
        } else {
            copy.remove(at: path)
        }
        return copy
    }
}

extension Mutation: CustomStringConvertible {
    var description: String {
        switch change {
        case .removal: "removed"
        case .null: "null"
        case .otherType: "as \(value?.kindName ?? "nothing")"
        case .otherValue: "as \(value ?? .null)"
        }
    }
}

extension Mutation {
    /// Returns all mutations of a sample. Each key is removed. Each value except `null` is replaced by `null` and by
    /// values of other types. Each string and each number is also replaced by an unusual value.
    static func all(of sample: Json, using random: inout SeededGenerator) -> [Mutation] {
        nodes(of: sample, at: .root)
            .flatMap { path, value -> [Mutation] in
                var mutations = others(than: value).map { Mutation(path: path, change: .otherType, value: $0) }
                if case .key? = path.components.last {
                    mutations.append(Mutation(path: path, change: .removal, value: nil))
                }
                if !value.isNull { mutations.append(Mutation(path: path, change: .null, value: .null)) }
                if let unusual = unusual(like: value, using: &random) {
                    mutations.append(Mutation(path: path, change: .otherValue, value: unusual))
                }
                return mutations
            }
    }

    /// Returns the values inside the sample with their paths, outer values first.
    private static func nodes(of value: Json, at path: JsonPath) -> [(JsonPath, Json)] {
        let inner: [(JsonPath, Json)] =
            switch value.kind {
            case .object: value.members.map { (path.appending(.key($0.key)), $0.value) }
            case .array: value.elements.enumerated().map { (path.appending(.index($0)), $1) }
            default: []
            }
        return inner.flatMap { [($0, $1)] + nodes(of: $1, at: $0) }
    }

    private static func others(than value: Json) -> [Json] {
        // An empty object is left out. An entry that reads only keys of the value cannot distinguish an empty object
        // from missing keys.
        let values: [Json] = [[], "text", 7, true]
        return value.isNull ? [] : values.filter { $0.kind != value.kind }
    }

    private static func unusual(like value: Json, using random: inout SeededGenerator) -> Json? {
        switch value.kind {
        case .string:
            let letters = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in "#?xyzé😀 /".randomElement(using: &random) }
            return Json(String(letters.compactMap { $0 }))
        case .number: return [-7, 0.5, 99_999_999_999, 1e300].randomElement(using: &random)
        case .object, .array, .bool, .null: return nil
        }
    }
}

extension Json {
    fileprivate var kindName: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a bool"
        case .null: "null"
        }
    }
}

/// A random number generator that gives equal numbers for equal seeds (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
