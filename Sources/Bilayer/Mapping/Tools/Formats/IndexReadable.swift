import Foundation

/// A number type whose values are read directly from the index, without a ``Json``. A value in quotes is read in this
/// way, too.
protocol IndexReadable: Sendable {
    /// Returns the value at a position, or `nil` if the value there has another type.
    static func read(_ nodes: JsonNodes, at position: Int) -> Self?
}

extension IndexReadable {
    /// Returns the function that reads values of this type. `Value` must be `Self`.
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
