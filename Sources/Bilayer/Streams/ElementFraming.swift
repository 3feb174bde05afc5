public import Foundation

/// A parser that cuts a stream of bytes into elements while the bytes arrive. The static members of ``StreamFormat``
/// use built-in parsers. For another format, write a conforming type:
///
/// ```swift
/// /// Elements of ten bytes each.
/// struct Records: ElementFraming {
///     private var rest = Data()
///
///     mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
///         rest.append(chunk)
///         while rest.count >= 10 {
///             elements.append(StreamedElement(rest.prefix(10)))
///             rest = Data(rest.dropFirst(10))
///         }
///     }
/// }
/// ```
///
/// Chunks begin and end anywhere, even in the middle of a character. A framing keeps only the bytes of one unfinished
/// element, and limits their number.
public protocol ElementFraming: Sendable {
    /// Receives the head of the response, before the first bytes of its body.
    /// - Parameter response: The response, without its body if the transport streams. A header field can contain data
    ///   for the framing, such as the boundary of parts.
    /// - Throws: An error of the format, which ends the stream.
    mutating func begin(_ response: HTTPResponse) throws

    /// Receives the next bytes, and returns the elements that are now complete.
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - elements: The complete elements are appended to this array.
    /// - Throws: An error of the format, which ends the stream.
    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws

    /// Handles the end of the stream, and returns the last elements.
    /// - Parameter elements: The last elements are appended to this array.
    /// - Throws: An error of the format if the stream has ended too early; a ``TransportError`` of the kind
    ///   ``TransportError/Kind-swift.struct/connectionLost`` if another connection may continue the stream.
    mutating func finish(_ elements: inout [StreamedElement]) throws

    /// Prepares for the bytes of another connection, which continues the stream at the ``position``.
    mutating func reconnect()

    /// Whether the stream has ended before the end of its bytes, for example because the format defines a last element.
    var isOver: Bool { get }

    /// The position at which a new connection continues; `nil` for a format without positions.
    var position: StreamPosition? { get }
}

extension ElementFraming {
    /// Does nothing: the format needs nothing of the head.
    public mutating func begin(_ response: HTTPResponse) throws {}

    /// Does nothing: no bytes are left at the end.
    public mutating func finish(_ elements: inout [StreamedElement]) throws {}

    /// Does nothing: no state is kept between connections.
    public mutating func reconnect() {}

    /// `false`: the stream ends with its bytes.
    public var isOver: Bool { false }

    /// `nil`: the format has no positions, so a new connection cannot continue the stream.
    public var position: StreamPosition? { nil }
}

/// One element of a stream, before it is mapped.
public struct StreamedElement: Sendable, Hashable {
    /// The bytes of the element: a JSON text, or other bytes that the route's raw type reads.
    public var body: Data
    /// The type of a server-sent event; `nil` if a built-in format has read the element from something else.
    public var event: String?
    /// The last event id when a server-sent event arrived; `nil` if there was none, or if it was empty.
    public var id: String?
    /// The error of an element that the framing has found to be incomplete. The element is not mapped, and the
    /// ``ElementPolicy`` decides what happens.
    var fault: String?

    /// Makes an element.
    /// - Parameters:
    ///   - body: The bytes of the element.
    ///   - event: The type of a server-sent event.
    ///   - id: The last event id.
    public init(_ body: Data, event: String? = nil, id: String? = nil) {
        self.body = body
        self.event = event
        self.id = id
    }
}

/// The position at which a stream continues after its connection was lost.
public struct StreamPosition: Sendable, Hashable {
    /// The last event id, sent as `Last-Event-ID`; `nil` if there was no id, or if the last one was empty.
    public var lastEventID: String?
    /// The wait before a new connection, if the server states one.
    public var wait: Duration?

    /// Makes a position.
    /// - Parameters:
    ///   - lastEventID: The last event id, sent as `Last-Event-ID`.
    ///   - wait: The wait before a new connection, if the server states one.
    public init(lastEventID: String? = nil, wait: Duration? = nil) {
        self.lastEventID = lastEventID
        self.wait = wait
    }
}

/// The error of a stream that does not have the expected format, and of a ``StreamFormat`` with an invalid path.
public struct StreamFormatError: Error, Sendable, Redacted {
    /// What was found and expected, without payload values.
    public let description: String

    /// Makes an error.
    /// - Parameter description: What was found and expected, without payload values.
    public init(_ description: String) { self.description = description }
}

extension StreamedElement: Redacted {
    /// The size.
    public var description: String { byteCountText(body.count) }
}

extension StreamPosition: Redacted {}
