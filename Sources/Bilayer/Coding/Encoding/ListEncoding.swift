import Foundation

/// Writes the elements of one array in one call. The coding path of each element begins at the element, as if it were a
/// root value.
struct ListEncoding<Element: Encodable> {
    private let context: EncodingContext
    private let fastPath: EncodingFastPath
    /// The offset of the last element, or of the comma before it.
    private var start = 0

    fileprivate init(_ context: EncodingContext) {
        self.context = context
        fastPath = context.fastPath(of: Element.self)
        context.segment.write(byte: Ascii.openBracket)
    }

    fileprivate func close() { context.segment.write(byte: Ascii.closeBracket) }

    /// Begins an element, and returns the offset of its value.
    @inline(__always)
    private mutating func begin() -> Int {
        start = context.segment.count
        // Before the first element the segment has only the bracket.
        if start > 1 { context.segment.write(byte: Ascii.comma) }
        return context.segment.count
    }

    /// Writes an element. If the element fails, all of its text is removed.
    @inline(__always)
    mutating func append(_ element: Element) throws {
        let value = begin()
        do {
            try context.encodeWhole(element, by: fastPath, from: value)
        } catch {
            context.endValue()
            removeLast()
            throw error
        }
    }

    /// Writes an element that was encoded before.
    mutating func append(encoded element: Json) {
        _ = begin()
        _ = context.segment.write(element, maximumDepth: .max)
    }

    /// The element that was written last.
    var last: Json { Json(.written(WrittenJson(context.segment.text(from: start > 1 ? start &+ 1 : start)))) }

    /// Removes the element that was written last.
    func removeLast() { context.segment.truncate(to: start, deferredCount: 0) }
}

extension EncodingSession {
    /// Writes an array as compact JSON.
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - settings: The settings for all of them.
    ///   - body: Writes the elements.
    /// - Returns: The text.
    /// - Throws: What `body` throws.
    @inline(__always)
    static func encodeList<Element: Encodable>(
        of type: Element.Type,
        _ settings: JsonEncoder,
        _ body: (inout ListEncoding<Element>) throws -> Void
    ) throws -> Data {
        try run(settings) { context in
            var list = ListEncoding<Element>(context)
            try body(&list)
            list.close()
        }
    }
}
