import Bilayer

/// Writes a value of any type with all its contents. Equal contents have equal texts, so values that are not
/// `Equatable` can be compared.
enum Appearance {
    static func text(of value: Any, depth: Int = 0) -> String {
        if let json = value as? Json { return "\(json)" }
        let mirror = Mirror(reflecting: value)
        // Deeper than any sample: a reference cycle.
        guard !mirror.children.isEmpty, depth < 64 else { return String(reflecting: value) }
        let parts = mirror.children.map { ($0.label ?? "") + ":" + text(of: $0.value, depth: depth + 1) }
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        return "\(mirror.subjectType)(" + (isUnordered ? parts.sorted() : parts).joined(separator: ",") + ")"
    }
}
