/// The elements that the first layer has left out of the arrays of a document.
///
/// The second layer counts in the shortened arrays. With the numbering, its issues get the server's indices.
struct ElementNumbering {
    /// The original indices of the elements left out, ascending, by the array's path in the document.
    private var lostIndices: [JsonPath: [Int]] = [:]

    var isEmpty: Bool { lostIndices.isEmpty }

    /// Adds the losses of one mapping, in which all paths are those of the numbering before it. An array that was read
    /// twice has lost its elements once.
    mutating func add(_ losses: [IssueLog.Loss], after before: ElementNumbering) {
        for loss in losses {
            let array = before.original(of: loss.localPath)
            let indices = loss.indices.map { before.originalIndex($0, in: array) }
            lostIndices[array] = Set(lostIndices[array] ?? []).union(indices).sorted()
        }
    }

    /// The index in the document of an array's element.
    /// - Parameters:
    ///   - index: Its index in the shortened array.
    ///   - array: The path of the array in the document.
    /// - Returns: The index.
    func originalIndex(_ index: Int, in array: JsonPath) -> Int {
        let lost = lostIndices[array] ?? []
        // By bisection: an element that is left has as many lost ones before it as its index has grown. That many, and
        // no more, have an original index of at most the sum.
        var (low, high) = (0, lost.count)
        while low < high {
            let middle = (low + high) / 2
            if lost[middle] - middle > index { high = middle } else { low = middle + 1 }
        }
        return index + low
    }

    private func original(of path: JsonPath) -> JsonPath {
        path.components.reduce(into: JsonPath.root) { result, component in
            if case .index(let index) = component {
                result = result.appending(.index(originalIndex(index, in: result)))
            } else {
                result = result.appending(component)
            }
        }
    }
}
