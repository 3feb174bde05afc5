/// One of the four stages of a call.
public struct CallStage: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
        case requestEncoding = "request encoding"
        case transport
        case rawMapping = "raw mapping"
        case dtoConversion = "DTO conversion"
    }

    private let name: Name

    /// Model to DTO to raw to request.
    public static let requestEncoding = CallStage(name: .requestEncoding)
    /// Request to response.
    public static let transport = CallStage(name: .transport)
    /// Response to raw to DTO. The stage also checks the status.
    public static let rawMapping = CallStage(name: .rawMapping)
    /// DTO to model.
    public static let dtoConversion = CallStage(name: .dtoConversion)

    /// Whether the stage maps the response.
    var mapsResponse: Bool { self == .rawMapping || self == .dtoConversion }

    /// The stage's name in words.
    public var description: String { name.rawValue }
}
