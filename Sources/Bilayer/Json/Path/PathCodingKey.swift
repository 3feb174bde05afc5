/// Coding keys with paths, for `Codable` entries without container structs: a value is nested deeper in the JSON, or
/// its key has several names.
///
/// Choose it where the server nests a field in another object, or has renamed it. The compiler still synthesizes the
/// coding:
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
/// - Decoding takes the first path with a non-null value, otherwise the first with a `null`. A different value at
///   another path is reported as ``MappingIssue/Kind/keyClash`` and refused under ``MappingPolicy/strict``. Encoding
///   uses the first path.
/// - Errors have the path in the JSON and the property's name: `$.address.city: wrong type: … (property city)`. The
///   second layer names properties; there pass the path as `key`: `dto.city.require("city", key: "address.city")`.
/// - A key with a dot is written in brackets and quotes, as in ``Json/decode(path:)``: `#"["unit.price"]"#`. A path
///   with an index, `lines[0]`, can only be decoded. Keys without a path keep their names.
/// - A naming (``KeyNaming``) applies to the steps of the paths, too.
/// - It works at any depth of an entry, with ``JsonDecoder`` and ``JsonEncoder``, and so in the mapping layer.
///   Foundation's coders ignore the paths and use the names of the cases.
public protocol PathCodingKey: CodingKey, Hashable {
    /// The paths of the keys that have any, from the entry's object on, better ones first.
    static var paths: [Self: [String]] { get }
}

extension PathCodingKey {
    static var memberPaths: MemberPaths {
        MemberPaths(paths.map { (name: $0.key.stringValue, paths: $0.value) })
    }
}

/// The paths of the keys of one ``PathCodingKey`` type. Made once for a type and a session.
final class MemberPaths: Sendable {
    /// The paths by the names of keys, none of them empty.
    private let paths: [String: [JsonPath]]
    /// The texts that are no paths.
    private let broken: [String]

    init(_ paths: [(name: String, paths: [String])]) {
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
        self.broken = broken.sorted()
    }

    /// The paths of a type's keys, if it declares them.
    static func of(_ type: any CodingKey.Type) -> MemberPaths? { (type as? any PathCodingKey.Type)?.memberPaths }

    /// The names of the keys that have paths.
    var names: [String] { paths.keys.sorted() }

    /// The paths at which a key's value may be.
    func paths(of key: any CodingKey) -> [JsonPath] {
        paths[key.stringValue] ?? [[.key(key.stringValue)]]
    }

    /// A text in the code that is no path; `nil` if there is none.
    var brokenText: String? { broken.first }

    /// The reason why encoding with these keys fails; nil if it works.
    var obstacleToWriting: String? {
        if let text = broken.first { return "\"\(text)\" in the code is no path" }
        let indexed = paths.values.compactMap(\.first)
            .first { path in
                path.components.contains { if case .index = $0 { true } else { false } }
            }
        return indexed.map { "The path \($0) has an index and can be read only." }
    }
}

/// One step of a path to a value, with the property that declared the path.
struct PathStep: CodingKey {
    let stringValue: String
    let intValue: Int?
    /// The property that declares the path.
    let property: String?
    /// A further remark for the error of a missing value.
    let remark: String?

    init(_ component: JsonPath.Component, property: String?, remark: String? = nil) {
        switch component {
        case .key(let name), .entry(let name): (stringValue, intValue) = (name, nil)
        case .index(let index): (stringValue, intValue) = ("Index \(index)", index)
        }
        self.property = property
        self.remark = remark
    }

    init?(stringValue: String) { self.init(.key(stringValue), property: nil) }

    init?(intValue: Int) { self.init(.index(intValue), property: nil) }
}
