import Foundation

/// The public types of the library's modules, as their sources declare them.
enum PublicTypes {
    /// The names, each after the names of the types around it: `HTTPHeaders.Field`.
    static func names() throws -> Set<String> {
        let sources = Compiler.repository.appendingPathComponent("Sources")
        var names: Set<String> = []
        for module in ["Bilayer", "BilayerTesting"] {
            let folder = sources.appendingPathComponent(module)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                names.formUnion(Self.names(in: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        return names
    }

    /// The names that a text declares. Nesting is derived from the indentation, which the format check guarantees.
    static func names(in source: String) -> Set<String> {
        var names: Set<String> = []
        var outer: [(indentation: Int, name: String)] = []
        for line in source.split(separator: "\n") {
            guard let declaration = Declaration(line) else { continue }
            outer.removeAll { $0.indentation >= declaration.indentation }
            let name = (outer.map(\.name) + [declaration.name]).joined(separator: ".")
            outer.append((declaration.indentation, declaration.name))
            if declaration.isPublicType { names.insert(name) }
        }
        return names
    }

    private struct Declaration {
        let indentation: Int
        let name: String
        let isPublicType: Bool

        init?(_ line: Substring) {
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
            let modifiers = words.prefix {
                ["public", "package", "private", "fileprivate", "final", "indirect"].contains($0)
            }
            let rest = words.dropFirst(modifiers.count)
            guard let keyword = rest.first, let second = rest.dropFirst().first,
                ["struct", "class", "enum", "actor", "extension", "protocol"].contains(keyword)
            else { return nil }
            indentation = line.prefix { $0 == " " }.count
            name = String(second.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
            isPublicType = modifiers.contains("public") && !["extension", "protocol"].contains(keyword)
        }
    }
}
