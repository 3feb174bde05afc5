/// Heap blocks that a value needs by any engine. One for each array and dictionary that is not empty, and one for each
/// string of over 15 UTF-8 bytes, which does not fit in its own two words.
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
