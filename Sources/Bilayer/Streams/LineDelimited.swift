import Foundation

/// A framing with an element for each line: NDJSON, JSON Lines. Blank lines are ignored, and the last line needs no
/// line end.
struct LineDelimited: ElementFraming {
    private var lines: LineSplitter

    init(maximumBytes: Int) {
        // `TextConversion` removes the byte order mark of the text.
        lines = LineSplitter(endsAtReturn: false, skipsMark: false, maximumBytes: maximumBytes)
    }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        try lines.append(chunk) { line in
            if !line.isBlank { elements.append(StreamedElement(line)) }
        }
    }

    mutating func finish(_ elements: inout [StreamedElement]) throws {
        if let line = lines.finish(), !line.isBlank { elements.append(StreamedElement(line)) }
    }
}

extension Data {
    /// Whether all bytes are white space. True if there are none.
    var isBlank: Bool { allSatisfy(isSpace) }
}
