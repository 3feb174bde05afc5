/// The elements that were removed from the arrays of a document. With it issues get the server's indices.
struct ElementNumbering {
    /// The original indices of the removed elements, ascending, by the array's path in the original document.
    private var removedIndices: [JsonPath: [Int]] = [:]

    /// Records a removed element.
    /// - Parameters:
    ///   - index: Its index at that time.
    ///   - array: The array's path at that time.
    mutating func removed(_ index: Int, of array: JsonPath) {
        let array = original(of: array)
        let index = originalIndex(index, in: array)
        let position = removedIndices[array]?.firstIndex { $0 > index } ?? removedIndices[array]?.count ?? 0
        removedIndices[array, default: []].insert(index, at: position)
    }

    /// The path in the original document of the value at a path now.
    func original(of path: JsonPath) -> JsonPath {
        path.components.reduce(into: JsonPath.root) { result, step in
            switch step {
            case .key, .entry: result = result.appending(step)
            case .index(let index): result = result.appending(.index(originalIndex(index, in: result)))
            }
        }
    }

    private func originalIndex(_ index: Int, in array: JsonPath) -> Int {
        (removedIndices[array] ?? []).reduce(index) { $1 <= $0 ? $0 + 1 : $0 }
    }
}
