/// The files of a folder that could not be removed.
struct UnremovableFiles: Sendable {
    /// The maximum number of names of each set. If more files must be hidden, all files are hidden. If more names must
    /// be shown after that, a name that was shown before is hidden again: its response is then requested again.
    static let maximumNames = 10_000

    private var names: Set<String> = []
    /// Whether all names are hidden but those in `shown`.
    private var hidesAll = false
    private var shown: Set<String> = []

    var isEmpty: Bool { names.isEmpty && !hidesAll }

    func contains(_ name: String) -> Bool { names.contains(name) || hidesAll && !shown.contains(name) }

    mutating func hide(_ name: String) {
        if names.count == Self.maximumNames { hideAll() }
        if !hidesAll { names.insert(name) }
        shown.remove(name)
    }

    mutating func hideAll() { (hidesAll, shown, names) = (true, [], []) }

    mutating func show(_ name: String) {
        names.remove(name)
        guard hidesAll, shown.insert(name).inserted, shown.count > Self.maximumNames else { return }
        if let other = shown.first(where: { $0 != name }) { shown.remove(other) }
    }
}
