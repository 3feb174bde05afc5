/// The properties of a sample by their Swift names, without indices: `$.photos[].takenAt`.
struct SwiftFields {
    /// All properties, including those of nested values.
    private(set) var all: Set<String> = []
    /// The properties that are `nil`, in order. Most entries leave them out of the JSON.
    private(set) var empty: [String] = []

    init(of sample: Any) { add(sample, at: "$", depth: 0) }

    private mutating func add(_ value: Any, at path: String, depth: Int) {
        all.insert(path)
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, mirror.children.isEmpty {
            if !empty.contains(path) { empty.append(path) }
            return
        }
        guard depth < 64, !Appearance.isLeaf(value) else { return }
        for child in mirror.children {
            let name = child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
            let isTransparent = mirror.displayStyle == .optional || child.label == "wrappedValue"
            let step = isTransparent ? "" : mirror.displayStyle == .collection ? "[]" : name.map { "." + $0 } ?? ""
            add(child.value, at: path + step, depth: depth + 1)
        }
    }

    /// Returns the properties in which two samples differ, by their Swift names.
    static func changed(from one: Any, to other: Any) -> Set<String> {
        let (before, after) = (Appearance.dictionary(of: one), Appearance.dictionary(of: other))
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        return Set(changed.map { "$" + withoutIndices($0) })
    }

    /// Returns a path of ``Appearance`` without indices and without the storage names of property wrappers.
    private static func withoutIndices(_ path: String) -> String {
        path.replacing(/\[\d+\]/, with: "[]").replacing(/\._/, with: ".").replacing(/\.wrappedValue/, with: "")
    }
}
