#if os(Linux)
/// Which file uses which, and by what names.
struct SourceGraph {
    struct Use {
        let user: String
        let used: String
        let names: Set<String>
    }

    let files: [String]
    let uses: [Use]

    init(_ store: IndexStore) {
        var homes: [String: String] = [:]
        for (file, occurrences) in store.occurrences {
            for occurrence in occurrences where occurrence.isDefinition { homes[occurrence.symbol] = file }
        }
        var names: [String: [String: Set<String>]] = [:]
        for (file, occurrences) in store.occurrences {
            for occurrence in occurrences where !occurrence.isDefinition {
                guard let home = homes[occurrence.symbol], home != file else { continue }
                names[file, default: [:]][home, default: []].insert(occurrence.name)
            }
        }
        files = store.occurrences.keys.sorted()
        uses = names.flatMap { user, homes in homes.map { Use(user: user, used: $0.key, names: $0.value) } }
    }

    /// The folder of a file, from the folder of its module on.
    static func room(of file: String) -> String {
        file.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
    }

    /// The files of one room that use each other in a circle, by their names without the extension.
    var circlesOfFiles: [Set<String>] {
        var next: [String: [String]] = [:]
        for use in uses where Self.room(of: use.user) == Self.room(of: use.used) {
            next[use.user, default: []].append(use.used)
        }
        let reached = Dictionary(uniqueKeysWithValues: next.keys.map { ($0, Self.reached(from: $0, by: next)) })
        // Two files are in one circle if each reaches the other.
        let circles = reached.map { file, others in
            Set(others.filter { reached[$0]?.contains(file) == true }).union([file])
        }
        return Set(circles.filter { $0.count > 1 }).map { Set($0.map(Self.name)) }
    }

    private static func reached(from file: String, by next: [String: [String]]) -> Set<String> {
        var found: Set<String> = []
        var open = next[file] ?? []
        while let file = open.popLast() {
            if found.insert(file).inserted { open += next[file] ?? [] }
        }
        return found
    }

    private static func name(of file: String) -> String {
        String((file.split(separator: "/").last ?? "").dropLast(".swift".count))
    }
}
#endif
