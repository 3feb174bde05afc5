/// A fenced block of Swift from a document, with the line that it starts at.
struct Snippet: Sendable, Equatable {
    let code: [Substring]
    /// The line of the block's first line of code, counted from 1.
    let line: Int

    /// The lines of the block's code in its file.
    var lines: Range<Int> { line..<line + code.count }
}

extension Snippet {
    /// The comments in a document that tell the check which code is compiled.
    ///
    /// `<!-- snippet: skip -->` above a block leaves the block out. `<!-- snippet: given` … `-->` holds code that the
    /// reader is not shown, one piece a line: for documents that start in the middle of an app.
    private enum Mark {
        static let skip = "<!-- snippet: skip -->"
        static let given = "<!-- snippet: given"
        static let end = "-->"
    }

    /// The blocks of a text in Markdown, with hidden ones and without skipped ones, in their order.
    /// - Parameters:
    ///   - lines: The lines of the text.
    ///   - first: The number of the first line.
    /// - Returns: The blocks.
    static func blocks(of lines: [Substring], from first: Int = 1) -> [Snippet] {
        var blocks: [Snippet] = []
        var open: (start: Int, end: String)?
        var skipsNext = false
        for (position, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            if let block = open {
                guard text.hasPrefix(block.end) else { continue }
                if !skipsNext {
                    blocks.append(Snippet(code: Array(lines[block.start..<position]), line: first + block.start))
                }
                (open, skipsNext) = (nil, false)
            } else if text.hasPrefix("```swift") {
                open = (position + 1, "```")
            } else if text.hasPrefix(Mark.given) {
                open = (position + 1, Mark.end)
            } else if text.hasPrefix(Mark.skip) {
                skipsNext = true
            }
        }
        return blocks
    }
}
