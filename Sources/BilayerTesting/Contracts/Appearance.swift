import Bilayer

/// Writes a value of any type with all it holds, the same text for the same contents: what two values can be compared
/// by that are not `Equatable`.
enum Appearance {
    static func text(of value: Any, depth: Int = 0) -> String {
        if let json = value as? Json { return "\(json)" }
        let mirror = Mirror(reflecting: value)
        // Deeper than any sample: an object that leads back to itself.
        guard !mirror.children.isEmpty, depth < 64 else { return String(reflecting: value) }
        let parts = mirror.children.map { ($0.label ?? "") + ":" + text(of: $0.value, depth: depth + 1) }
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        return "\(mirror.subjectType)(" + (isUnordered ? parts.sorted() : parts).joined(separator: ",") + ")"
    }
}
