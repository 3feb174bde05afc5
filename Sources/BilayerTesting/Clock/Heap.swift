/// A heap: finds its smallest element in constant time, inserts and removes in log n steps.
struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var smallest: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, elements[place] < elements[(place - 1) / 2] {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    @discardableResult
    mutating func removeSmallest() -> Element? {
        guard let smallest = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return smallest }
        elements[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < elements.count {
                if elements[child] < elements[least] { least = child }
            }
            guard least != place else { return smallest }
            elements.swapAt(place, least)
            place = least
        }
    }

    /// Keeps only the elements that satisfy a condition. Sorts them, because a sorted list is a heap.
    mutating func keep(where isKept: (Element) -> Bool) { elements = elements.filter(isKept).sorted() }
}
