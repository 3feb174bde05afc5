import Foundation

// Foundation's description is not used. It ends the process over a date that is no number, and prints only the name of
// a class. Equal dictionaries and sets are printed in different orders.

/// A value as text. Two values that differ only because a NaN is not equal to itself have equal texts.
func valueText(_ value: Any) -> String {
    switch value {
    case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: return "\(Array(data))"
    case is String, is Decimal, is URL, is any Error: return "\(value)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    var children: [String] = []
    for part in sequence(first: mirror, next: \.superclassMirror) {
        children += part.children.map { "\($0.label ?? ""): \(valueText($0.value))" }
    }
    if children.isEmpty { return "\(value)" }
    if mirror.displayStyle == .dictionary || mirror.displayStyle == .set { children.sort() }
    return "\(mirror.subjectType)(\(children.joined(separator: ", ")))"
}
