/// The format of a stream of elements, and when the stream is opened again.
///
/// ```swift
/// for try await photo in client.stream(Route<Photo>.get("added"), as: .serverSentEvents) { print(photo) }
/// for try await user in client.stream(Route<User>.get("users"), as: .array(at: "data.users")) { print(user.name) }
/// ```
/// A response of status 204 is an error, with a ``StreamFormatError`` as the underlying error of the ``CallError``: a
/// stream without elements needs another 2xx status, and a body that is valid in the format. For ``lines``, for
/// example, the body may be empty. Server-sent events are the exception: a 204 means that there is no stream and that
/// the client must not reconnect (WHATWG HTML §9.2.3). The iteration then ends without an error.
public struct StreamFormat: Sendable {
    /// The media type for `Accept`; `nil` for the media type of the route's raw type.
    let mediaType: String?
    let content: Content
    let reconnection: Reconnection
    /// The path of the elements' array.
    let path: JsonPath
    /// The error of a format whose path is not valid.
    let problem: StreamFormatError?
    let makeFraming: @Sendable () -> any ElementFraming

    /// The kind of bytes, which decides about media types and charsets.
    enum Content {
        /// Any bytes that a custom framing reads. The elements have the response's charset.
        case own
        /// Any bytes that the framing reads. The elements are UTF-8.
        case utf8
        /// UTF-8 with the format's media type.
        case events
        /// JSON in any charset that the call allows, with any media type but those of HTML pages.
        case json
    }

    /// Makes a custom format. A stream of this format is not opened again after a loss.
    ///
    /// The framing receives the bytes as the server sent them. If the response states a charset, each element is
    /// converted from it.
    /// - Parameters:
    ///   - mediaType: The media type for `Accept`; `nil` for the media type of the route's raw type.
    ///   - makeFraming: Makes the framing that cuts one stream into elements.
    public init(mediaType: String? = nil, _ makeFraming: @escaping @Sendable () -> any ElementFraming) {
        self.init(mediaType: mediaType, reconnection: .never, makeFraming)
    }

    init(
        mediaType: String?,
        content: Content = .own,
        reconnection: Reconnection,
        path: JsonPath = .root,
        problem: StreamFormatError? = nil,
        _ makeFraming: @escaping @Sendable () -> any ElementFraming
    ) {
        self.mediaType = mediaType
        self.content = content
        self.reconnection = reconnection
        self.path = path
        self.problem = problem
        self.makeFraming = makeFraming
    }

    /// The default maximum size of one element: 16 MiB.
    public static let maximumElementBytes = 16 * 1024 * 1024

    /// Server-sent events (WHATWG HTML §9.2): the data of each event is an element.
    /// - Parameters:
    ///   - names: The types of the events to take, `message` for events without a type; `nil` for all events.
    ///   - lastData: The data of an event that ends the stream, such as `[DONE]`; it is no element.
    ///   - reconnection: When the stream is opened again, with `Last-Event-ID` and after the wait that the server
    ///     states.
    ///   - maximumElementBytes: The largest event.
    /// - Returns: The format.
    public static func serverSentEvents(
        named names: Set<String>? = nil,
        endingWith lastData: String? = nil,
        reconnecting reconnection: Reconnection = .never,
        maximumElementBytes: Int = maximumElementBytes
    ) -> StreamFormat {
        StreamFormat(mediaType: "text/event-stream", content: .events, reconnection: reconnection) {
            ServerSentEvents(names: names, lastData: lastData, maximumBytes: maximumElementBytes)
        }
    }

    /// Server-sent events of every type, until the server ends the stream.
    public static var serverSentEvents: StreamFormat { serverSentEvents() }

    /// A JSON text on each line: NDJSON, JSON Lines.
    /// - Parameter maximumElementBytes: The longest line.
    /// - Returns: The format.
    public static func lines(maximumElementBytes: Int = maximumElementBytes) -> StreamFormat {
        StreamFormat(mediaType: "application/x-ndjson", content: .json, reconnection: .never) {
            LineDelimited(maximumBytes: maximumElementBytes)
        }
    }

    /// A JSON text on each line, with the default limit.
    public static var lines: StreamFormat { lines() }

    /// A JSON text sequence (RFC 7464). A text that was cut is an element that cannot be mapped (``ElementPolicy``).
    /// - Parameter maximumElementBytes: The longest text.
    /// - Returns: The format.
    public static func textSequence(maximumElementBytes: Int = maximumElementBytes) -> StreamFormat {
        StreamFormat(mediaType: "application/json-seq", content: .json, reconnection: .never) {
            TextSequence(maximumBytes: maximumElementBytes)
        }
    }

    /// A JSON text sequence (RFC 7464).
    public static var textSequence: StreamFormat { textSequence() }

    /// The elements of one array of a JSON document, each as soon as it is complete.
    /// - Parameters:
    ///   - path: The path of the array, such as `data.users`. The default is the root, for a document that is an array.
    ///   - maximumElementBytes: The largest element.
    /// - Returns: The format.
    public static func array(
        at path: String = "$",
        maximumElementBytes: Int = maximumElementBytes
    ) -> StreamFormat {
        let parsed = JsonPath(path)
        let problem = parsed == nil ? StreamFormatError("found \"\(path)\", expected the path of an array") : nil
        let path = parsed ?? .root
        return StreamFormat(mediaType: nil, content: .json, reconnection: .never, path: path, problem: problem) {
            ArrayElements(at: path, maximumBytes: maximumElementBytes)
        }
    }

    /// The elements of a JSON document that is an array.
    public static var array: StreamFormat { array() }
}

extension StreamFormat: Redacted {}
