import Bilayer
import Foundation

/// Converts a value of any type to text, including everything inside it. Equal contents have equal texts, so values
/// that are not `Equatable` can be compared.
enum Appearance {
    static func text(of value: Any) -> String {
        leaves(of: value).map { "\($0):\($1)" }.joined(separator: "\n")
    }

    static func dictionary(of value: Any) -> [String: String] {
        Dictionary(leaves(of: value).map { ($0.path, $0.text) }, uniquingKeysWith: { $0 + $1 })
    }

    /// Returns the texts of the innermost values, each with its path of Swift names. The text of `nil` is `nil`.
    static func leaves(of value: Any, at path: String = "", depth: Int = 0) -> [(path: String, text: String)] {
        // A sample is hardly nested deeper than 64 levels, so this is probably a reference cycle.
        if depth > 64 { return [] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { leaves(of: $0.value, at: path, depth: depth + 1) } ?? [(path, "nil")]
        }
        if isLeaf(value) || mirror.children.isEmpty { return [(path, whole(value))] }
        switch mirror.displayStyle {
        case .dictionary:
            return mirror.children
                .flatMap { member -> [(path: String, text: String)] in
                    let pair = Mirror(reflecting: member.value).children.map(\.value)
                    guard pair.count == 2 else { return [(path, whole(member.value))] }
                    return leaves(of: pair[1], at: "\(path){\(pair[0])}", depth: depth + 1)
                }
                .sorted { $0.path < $1.path }
        case .set:
            let parts = mirror.children.map { text(of: $0.value) }.sorted()
            return parts.enumerated().map { ("\(path)[\($0)]", $1) }
        case .collection:
            return mirror.children.enumerated().flatMap { leaves(of: $1.value, at: "\(path)[\($0)]", depth: depth + 1) }
        default:
            return mirror.children.flatMap { leaves(of: $0.value, at: path + "." + ($0.label ?? ""), depth: depth + 1) }
        }
    }

    /// Whether a value is converted as a whole. For Foundation's types, `Mirror` would show internals, not data of the
    /// app.
    static func isLeaf(_ value: Any) -> Bool {
        value is Json || value is String || String(reflecting: type(of: value)).hasPrefix("Foundation")
    }

    /// Whether a text is that of `nil` or of a `Field` without a value.
    static func isNothing(_ text: String) -> Bool {
        text == "nil" || text.hasPrefix("Field<") && (text.hasSuffix(".absent") || text.hasSuffix(".null"))
    }

    private static func whole(_ value: Any) -> String {
        switch value {
        case let data as Data: data.base64EncodedString()
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let url as URL: url.absoluteString
        case let json as Json: "\(json)"
        default: "\(type(of: value)) \(String(reflecting: value))"
        }
    }
}
