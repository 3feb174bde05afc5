import Foundation
import Testing

/// The snippets that a reader takes as one piece: those of one page, or those of one declaration's comment.
struct SnippetDocument: Sendable, CustomTestStringConvertible {
    /// The file, from the repository's top folder.
    let file: String
    let snippets: [Snippet]
    /// A module that the whole document needs, and that some platforms do not have, such as `Combine`.
    var requiredModule: String?

    /// The file and the line where the document starts.
    var name: String { "\(file):\(snippets.first?.line ?? 0)" }
    var testDescription: String { name }
}

extension SnippetDocument {
    /// The pages: everything in Markdown that belongs to the project and has snippets.
    static let pages: [SnippetDocument] = files(under: "", ending: ".md")
        .compactMap { file in
            let snippets = Snippet.blocks(of: lines(of: file))
            return snippets.isEmpty ? nil : SnippetDocument(file: file, snippets: snippets)
        }

    /// The comments of public declarations that have snippets, one document each.
    static let comments: [SnippetDocument] = files(under: "Sources", ending: ".swift")
        .flatMap { file in
            let lines = lines(of: file)
            let module =
                lines.first?.hasPrefix("#if canImport(") == true ? lines[0].split { "()".contains($0) }.last : nil
            return comments(in: lines)
                .map {
                    SnippetDocument(file: file, snippets: $0, requiredModule: module.map(String.init))
                }
        }

    /// The snippets of each comment in a source file; comments without snippets are left out.
    static func comments(in lines: [Substring]) -> [[Snippet]] {
        var found: [[Snippet]] = []
        var comment: [Substring] = []
        var isInPublicProtocol = false
        for (position, line) in lines.enumerated() {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                comment.append(code.dropFirst(code.hasPrefix("/// ") ? 4 : 3))
                continue
            }
            if code.hasPrefix("@") { continue }
            if code.count == line.count, !code.isEmpty, code != "}" {
                isInPublicProtocol = code.hasPrefix("public protocol")
            }
            let isPublic = isInPublicProtocol || code.hasPrefix("public ") || code.hasPrefix("case ")
            let snippets = Snippet.blocks(of: comment, from: position - comment.count + 1)
            if isPublic, !snippets.isEmpty { found.append(snippets) }
            comment = []
        }
        return found
    }

    private static func lines(of file: String) -> [Substring] {
        let url = Compiler.repository.appendingPathComponent(file)
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func files(under folder: String, ending suffix: String) -> [String] {
        let top = Compiler.repository.path + "/"
        let start = URL(fileURLWithPath: top + folder)
        let found = FileManager.default.enumerator(
            at: start,
            includingPropertiesForKeys: nil,
            options: [.skipsHiddenFiles]
        )
        return (found?.compactMap { ($0 as? URL)?.path } ?? [])
            .filter { $0.hasPrefix(top) && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst(top.count)) }.sorted()
    }
}
