/// The indices of the array elements that the mappings of a call have left out of a document so far.
///
/// The indices of the next mapping are those of the shortened arrays. The numbering converts them to the server's.
struct ElementNumbering {
    /// The original indices of the elements left out, ascending, by the array's path in the document.
    private var lostIndices: [JsonPath: [Int]] = [:]

    var isEmpty: Bool { lostIndices.isEmpty }

    /// Adds the losses of one mapping. The mapping received arrays that were already shortened as the numbering
    /// `before` says, so its indices are converted. Elements that were lost twice, because an array was read twice,
    /// count once.
    mutating func add(_ losses: [IssueLog.Loss], after before: ElementNumbering) {
        for loss in losses {
            let array = before.original(of: loss.localPath)
            let indices = loss.indices.map { before.originalIndex($0, in: array) }
            lostIndices[array] = Set(lostIndices[array] ?? []).union(indices).sorted()
        }
    }

    /// Returns the index that an element of an array has in the document.
    /// - Parameters:
    ///   - index: The element's index in the shortened array.
    ///   - array: The path of the array in the document.
    /// - Returns: The index.
    func originalIndex(_ index: Int, in array: JsonPath) -> Int {
        let lost = lostIndices[array] ?? []
        // The result is `index` plus the number of lost elements before the element, which a bisection finds. A lost
        // element precedes the element if `lost[position] - position` is at most `index`.
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
