import Foundation

/// A framing that finds the elements of one array of a JSON document. An element is complete as soon as its last byte
/// has arrived. The end of a number, `true`, `false` or `null` is known only when the byte after it has arrived.
///
/// An element is checked when it is parsed. Outside of the elements, the framing checks only what it needs to find
/// them: ends of strings, pairs of brackets, commas between elements, and the values on the way to the array. Only
/// white space may follow the document.
struct ArrayElements: ElementFraming {
    private enum Phase {
        /// Before the opening bracket of the array.
        case seeking
        /// Inside the array.
        case elements
        /// After the closing bracket of the array.
        case rest
    }

    private let maximumBytes: Int
    private var seeker: ArraySeeker
    private var brackets = BracketStack()
    private var phase = Phase.seeking
    /// The bytes of the current element that have arrived.
    private var pending = Data()
    /// Whether the array has had an element.
    private var hasElements = false
    /// Whether a number or a word has begun.
    private var isInScalar = false
    /// Whether an element has ended, by its last byte or by white space, and the comma after it has not arrived.
    private var isAfterElement = false
    /// The number of bytes of a byte order mark so far; `nil` once it is complete or excluded.
    private var markBytes: Int? = 0

    /// - Parameters:
    ///   - path: The path of the array; the root for a document that is an array.
    ///   - maximumBytes: The maximum size of an element, and of a key on the way to the array.
    init(at path: JsonPath, maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        seeker = ArraySeeker(path, maximumBytes: maximumBytes)
    }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        let bytes = Array(chunk)
        // The index of the first byte that belongs to the current element and is not in `pending`.
        var start = 0
        var index = try skipMark(bytes)
        while index < bytes.count {
            defer { index += 1 }
            if brackets.isWithinString, phase != .seeking {
                index = brackets.skipString(in: bytes, from: index)
                if index == bytes.count { break }
            }
            let byte = bytes[index]
            if phase == .rest, brackets.depth == 0, !isSpace(byte) {
                throw StreamFormatError("found more bytes, expected the end of the document")
            }
            let role = try brackets.take(byte)
            switch phase {
            case .seeking:
                if try seeker.finds(byte, role, brackets) {
                    phase = .elements
                    start = index + 1
                }
            case .elements:
                // Whether the byte is directly in the array, and not inside a string or an inner container.
                let isBetween = role == .other && brackets.depth == seeker.arrayDepth
                let closes = role == .closing && brackets.depth < seeker.arrayDepth
                let ends = isBetween && byte == UInt8(ascii: ",")
                if isAfterElement {
                    start = index + 1
                    guard closes || ends else {
                        if isSpace(byte) { continue }
                        throw StreamFormatError("found more bytes after an element, expected a comma or ]")
                    }
                    isAfterElement = false
                } else if closes || ends {
                    try add(bytes[start..<index])
                    start = index + 1
                    try end(isLast: closes, &elements)
                } else if brackets.depth == seeker.arrayDepth, role == .closing || role == .string && !isInString {
                    // The byte ends a string, an array or an object, and belongs to it.
                    try add(bytes[start...index])
                    start = index + 1
                    try end(isLast: false, &elements)
                    isAfterElement = true
                } else if isBetween, !isSpace(byte) {
                    isInScalar = true
                } else if isBetween, isInScalar {
                    // White space ends a number or a word. The parser of the element ignores it.
                    try add(bytes[start...index])
                    start = index + 1
                    try end(isLast: false, &elements)
                    isAfterElement = true
                }
                if closes { phase = .rest }
            case .rest: break
            }
        }
        if phase == .elements, !isAfterElement { try add(bytes[start...]) }
    }

    private var isInString: Bool { brackets.isWithinString }

    /// Skips a byte order mark, as the parser of complete documents does.
    private mutating func skipMark(_ bytes: [UInt8]) throws -> Int {
        var index = 0
        while let skipped = markBytes, index < bytes.count {
            guard bytes[index] == [0xEF, 0xBB, 0xBF][skipped] else {
                markBytes = nil
                if skipped > 0 { throw StreamFormatError("found a part of a byte order mark, expected JSON") }
                break
            }
            markBytes = skipped == 2 ? nil : skipped + 1
            index += 1
        }
        return index
    }

    mutating func finish(_ elements: inout [StreamedElement]) throws {
        guard phase == .rest, brackets.depth == 0, !brackets.isWithinString else {
            throw StreamFormatError("found the end of the document, expected more: \(expectation)")
        }
    }

    private var expectation: String {
        switch phase {
        case .seeking: "the array at \(seeker.path)"
        case .elements: "the end of the array at \(seeker.path)"
        case .rest: brackets.missingText
        }
    }

    /// Adds bytes to the current element.
    /// - Throws: ``StreamFormatError`` if the element becomes larger than the maximum size.
    private mutating func add(_ part: ArraySlice<UInt8>) throws {
        guard part.count <= maximumBytes - pending.count else {
            throw StreamFormatError("found a larger element, expected at most \(byteCountText(maximumBytes))")
        }
        pending.append(contentsOf: part)
    }

    /// Ends the current element and appends it to `elements`. The closing bracket of an empty array ends no element.
    /// - Parameters:
    ///   - isLast: Whether the closing bracket of the array ends the element.
    ///   - elements: The complete elements.
    /// - Throws: ``StreamFormatError`` if there is no element before a comma, or after one.
    private mutating func end(isLast: Bool, _ elements: inout [StreamedElement]) throws {
        defer { (pending, isInScalar) = (Data(), false) }
        if pending.isBlank {
            if isLast, !hasElements { return }
            throw StreamFormatError("found \(isLast ? "]" : ","), expected an element")
        }
        hasElements = true
        elements.append(StreamedElement(pending))
    }
}
