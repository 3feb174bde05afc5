/// Coding keys with paths, for `Codable` entries whose values are nested deeper in the JSON, or whose keys have several
/// names. They replace structs that only mirror the nesting.
///
/// Choose this protocol if the server nests a field in another object, or has renamed it. The compiler still
/// synthesizes the `Codable` conformance:
///
/// ```swift
/// struct CustomerEntry: Codable, RawMappable {
///     let id: Int
///     let city: String?                    // nil if there is no address, or it is null
///     let name: String
///
///     enum CodingKeys: String, PathCodingKey {
///         case id, city, name
///         static let paths: [CodingKeys: [String]] = [
///             .city: ["address.city"],
///             .name: ["name", "user_name"],
///         ]
///     }
/// }
/// ```
///
/// - Decoding uses the first path whose value is not `null`. If all values are `null` or missing, decoding uses the
///   first `null` at the end of a path. A different value at a later path is reported as
///   ``MappingIssue/Kind/keyClash``, and is an error under ``MappingPolicy/strict``. A path through a string or another
///   value without members is an error, unless an earlier path has a value other than `null`.
/// - Encoding uses the first path. If two properties have the same first path, the last one counts, and encoding
///   reports a ``MappingIssue/Kind/keyClash``, which is an error under ``MappingPolicy/strict``. A nested container at a
///   path that another property has written is always an error. Decoding gives both the value and reports nothing.
/// - Errors contain the path in the JSON. If its last key differs from the property's name, they contain the name, too:
///   `$.user_name: null: … (property name)`. A conversion of the entry to a model only has the property's name. Pass
///   the path to it as `key`: `dto.city.require("city", key: "address.city")`.
/// - A key with a dot is written in brackets and quotes, as in ``Json/decode(path:)``: `#"["unit.price"]"#`. A path
///   with an index, `lines[0]`, can only be decoded: encoding fails if it is the first path of a key. A key without a
///   path uses its own name.
/// - A ``KeyNaming`` also applies to the steps of the paths.
/// - The paths apply at any depth of an entry, with ``JsonDecoder``, with ``JsonEncoder`` and in raw mapping.
///   Foundation's coders ignore the paths and use the string values of the keys.
public protocol PathCodingKey: CodingKey, Hashable {
    /// The paths of keys, relative to the object of the entry, the preferred path first. A key that this dictionary
    /// does not contain uses its own name.
    static var paths: [Self: [String]] { get }
}

extension PathCodingKey {
    static var memberPaths: MemberPaths {
        MemberPaths(paths.map { (name: $0.key.stringValue, paths: $0.value) }, of: Self.self)
    }
}

/// The paths of the keys of one ``PathCodingKey`` type. A decoder or encoder caches them in the ``KeyTypeCache`` of the
/// type.
final class MemberPaths: Sendable {
    /// The paths of each key, by the key's name. No list is empty.
    private let paths: [String: [JsonPath]]
    /// The steps of the paths, by the key's name.
    private let steps: [String: [[PathStep]]]
    /// The first paths, by the key's name.
    private let writing: [String: Writing]
    /// The numbers of the first places on these paths, by the names of the places.
    private let firstPlaces: [String: Int]
    private let type: ObjectIdentifier
    /// The texts that cannot be parsed as paths, or whose path does not start with a key. Sorted.
    private let broken: [String]

    init(_ paths: [(name: String, paths: [String])], of type: any CodingKey.Type) {
        var read: [String: [JsonPath]] = [:]
        var broken: [String] = []
        for (name, texts) in paths {
            for text in texts {
                guard let path = JsonPath(text), case .key? = path.components.first else {
                    broken.append(text)
                    continue
                }
                read[name, default: []].append(path)
            }
        }
        self.paths = read
        let type = ObjectIdentifier(type)
        self.type = type
        var steps: [String: [[PathStep]]] = [:]
        var writing: [String: Writing] = [:]
        var numbers: [JsonPath: Int] = [:]
        var firstPlaces: [String: Int] = [:]
        for (name, paths) in read {
            let property = PathStep.Property(name, of: type)
            let all = paths.map { path in path.components.map { PathStep($0, of: property) } }
            steps[name] = all
            let components = paths.first?.components ?? []
            let places = components.indices.map { index in
                let place = JsonPath(Array(components[...index]))
                let number = numbers[place] ?? numbers.count
                numbers[place] = number
                return number
            }
            writing[name] = (all.first ?? [], places)
            if case .key(let first)? = components.first { firstPlaces[first] = places.first }
        }
        (self.writing, self.firstPlaces) = (writing, firstPlaces)
        self.steps = steps
        self.broken = broken.sorted()
    }

    /// Returns the paths of a key type; nil if the type is not a ``PathCodingKey``.
    static func of(_ type: any CodingKey.Type) -> MemberPaths? { (type as? any PathCodingKey.Type)?.memberPaths }

    /// The names of the keys that have paths.
    var names: [String] { paths.keys.sorted() }

    /// Returns the paths at which the value of a key may be. A key without paths has one path: its own name.
    func paths(of key: any CodingKey) -> [JsonPath] {
        paths[key.stringValue] ?? [[.key(key.stringValue)]]
    }

    /// Returns the paths of a key as coding keys; `nil` for a key without paths.
    func steps(of key: any CodingKey) -> [[PathStep]]? { steps[key.stringValue] }

    /// The path at which the value of a key is written.
    typealias Writing = (steps: [PathStep], places: [Int])

    /// Returns the steps of the path at which the value of a key is written, and the numbers of the places on that
    /// path: of each object, and of the value. The value of a key without paths has a place only if the path of another
    /// key leads through it.
    func writing(of key: any CodingKey) -> Writing {
        let name = key.stringValue
        if let known = writing[name] { return known }
        return ([step(to: key)], firstPlaces[name].map { [$0] } ?? [])
    }

    /// Returns the step to the value of a key without paths.
    func step(to key: any CodingKey) -> PathStep { PathStep(.key(key.stringValue), of: property(of: key)) }

    func property(of key: any CodingKey) -> PathStep.Property { PathStep.Property(key.stringValue, of: type) }

    /// The alphabetically first text that is not a path or whose path does not start with a key; nil if there is none.
    var brokenText: String? { broken.first }

    /// The reason why encoding with these keys fails; nil if encoding is possible.
    var encodingFailure: String? {
        if let text = broken.first { return "\"\(text)\" in the code is no path" }
        let indexed = paths.values.compactMap(\.first)
            .first { path in
                path.components.contains { if case .index = $0 { true } else { false } }
            }
        return indexed.map { "The path \($0) has an index and can be read only." }
    }
}

/// One step of a path to a value, and the property that declared the path. It is not a ``PathKey``: with a property,
/// that key would no longer fit into an existential.
struct PathStep: CodingKey {
    /// The property of a type that declares a path.
    struct Property {
        let name: String
        private let type: ObjectIdentifier

        init(_ name: String, of type: ObjectIdentifier) {
            self.name = name
            self.type = type
        }

        /// A hash of the name and the type of the key. Equal names in two types are two properties.
        var hash: UInt64 {
            var hasher = Hasher()
            hasher.combine(type)
            hasher.combine(name)
            return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
        }
    }

    let stringValue: String
    let intValue: Int?
    private let declared: Property?
    /// A further remark for the error about a missing value.
    var remark: String?

    /// The name of the property that declares the path.
    var property: String? { declared?.name }
    /// The hash of the property that declares the path.
    var propertyHash: UInt64? { declared?.hash }

    init(_ component: JsonPath.Component, of property: Property?) {
        switch component {
        case .key(let name), .entry(let name): (stringValue, intValue) = (name, nil)
        case .index(let index): (stringValue, intValue) = ("Index \(index)", index)
        }
        declared = property
    }

    init?(stringValue: String) { self.init(.key(stringValue), of: nil) }

    init?(intValue: Int) { self.init(.index(intValue), of: nil) }
}
