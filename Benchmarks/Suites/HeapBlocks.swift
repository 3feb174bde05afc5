/// Returns the number of heap blocks that a value needs with any engine. Each non-empty array or dictionary needs one.
/// So does each string of more than 15 UTF-8 bytes, because it does not fit into the two words of a `String`.
func heapBlocks(of value: Any) -> Int {
    switch value {
    case let text as String:
        return text.utf8.count > 15 ? 1 : 0
    case let numbers as [Double]:
        return numbers.isEmpty ? 0 : 1
    case let numbers as [Int]:
        return numbers.isEmpty ? 0 : 1
    default:
        let mirror = Mirror(reflecting: value)
        let ownsStorage = mirror.displayStyle == .collection || mirror.displayStyle == .dictionary
        let own = ownsStorage && !mirror.children.isEmpty ? 1 : 0
        return mirror.children.reduce(own) { $0 + heapBlocks(of: $1.value) }
    }
}
