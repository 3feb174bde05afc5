import Foundation

/// A framing for the events of `text/event-stream` (WHATWG HTML, §9.2.6). The data of each event is an element.
struct ServerSentEvents: ElementFraming {
    private let names: Set<String>?
    private let lastData: String?
    private let nameWithoutData: String?
    private let maximumBytes: Int
    private var lines: LineSplitter
    private var data: Data?
    private var event = ""
    private var id = ""
    private(set) var isOver = false
    private var known = StreamPosition()

    /// - Parameters:
    ///   - names: The types of the events to take; `nil` for all.
    ///   - lastData: The data of an event that ends the stream.
    ///   - nameWithoutData: The type of the events that are elements even without data. The standard ignores events
    ///     without data.
    ///   - maximumBytes: The maximum size of a line. The data of an event must be smaller.
    init(names: Set<String>?, lastData: String?, nameWithoutData: String? = nil, maximumBytes: Int) {
        self.names = names
        self.lastData = lastData
        self.nameWithoutData = nameWithoutData
        self.maximumBytes = maximumBytes
        lines = LineSplitter(endsAtReturn: true, skipsMark: true, maximumBytes: maximumBytes)
    }

    var position: StreamPosition? { known }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        // Events before a line that is too long are complete, so they are delivered before the error.
        var found: [Data] = []
        let result = Result { try lines.append(chunk) { found.append($0) } }
        for line in found where !isOver { try receive(line, &elements) }
        if !isOver { try result.get() }
    }

    /// An event without an empty line after it is discarded.
    mutating func finish(_ elements: inout [StreamedElement]) throws { data = nil }

    /// Prepares for another connection, which continues after the last complete event. The id of an event that was cut
    /// is not used.
    mutating func reconnect() {
        lines = LineSplitter(endsAtReturn: true, skipsMark: true, maximumBytes: maximumBytes)
        (data, event, id) = (nil, "", known.lastEventID ?? "")
    }

    private mutating func receive(_ line: Data, _ elements: inout [StreamedElement]) throws {
        if line.isEmpty { return dispatch(&elements) }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        if colon == line.startIndex { return }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event = String(decoding: value, as: UTF8.self)
        case "data": try add(value)
        case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry": setWait(value)
        default: break
        }
    }

    private mutating func add(_ value: Data) throws {
        guard value.count < maximumBytes - (data?.count ?? 0) else {
            throw StreamFormatError("found a larger event, expected at most \(byteCountText(maximumBytes))")
        }
        if data == nil {
            data = Data(value)
        } else {
            data?.append(UInt8(ascii: "\n"))
            data?.append(value)
        }
    }

    private mutating func setWait(_ digits: Data) {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let milliseconds = Int(String(decoding: digits, as: UTF8.self))
        else { return }
        known.wait = .milliseconds(min(milliseconds, 86_400_000))
    }

    private mutating func dispatch(_ elements: inout [StreamedElement]) {
        defer { (data, event) = (nil, "") }
        known.lastEventID = id.isEmpty ? nil : id
        // By the standard, each `data` line adds a line feed, and the last line feed is removed. So an event with one
        // empty `data` line has empty data, and is delivered.
        guard let data = data ?? (event == nameWithoutData ? Data() : nil) else { return }
        let name = event.isEmpty ? "message" : event
        if let lastData, data == Data(lastData.utf8) {
            isOver = true
        } else if names?.contains(name) ?? true {
            elements.append(StreamedElement(data.repaired, event: name, id: known.lastEventID))
        }
    }
}

extension Data {
    /// The text with U+FFFD in place of bytes that are not UTF-8 (WHATWG Encoding §4.1).
    fileprivate var repaired: Data {
        allSatisfy { $0 < 0x80 } ? self : Data(String(decoding: self, as: UTF8.self).utf8)
    }
}
