import Foundation

/// The scalars that are read from the index, without a ``Json``: the base of formats in quotes.
protocol IndexReadable: Sendable {
    /// The value at a position; nil if it is another one.
    static func read(_ nodes: JsonNodes, at position: Int) -> Self?
}

extension IndexReadable {
    /// The reader of values of this type. `Value` must be `Self`.
    static func quickRead<Value>(of type: Value.Type) -> ValueFormat<Value>.QuickRead {
        { nodes, position, take in
            guard let value = read(nodes, at: position) as? Value else { return false }
            take(value)
            return true
        }
    }
}

extension Int: IndexReadable {
    static func read(_ nodes: JsonNodes, at position: Int) -> Int? { nodes.integerValue(Int.self, at: position) }
}

extension Int64: IndexReadable {
    static func read(_ nodes: JsonNodes, at position: Int) -> Int64? { nodes.integerValue(Int64.self, at: position) }
}

extension Double: IndexReadable {}

extension Decimal: IndexReadable {
    static func read(_ nodes: JsonNodes, at position: Int) -> Decimal? { nodes.decimal(at: position) }
}
