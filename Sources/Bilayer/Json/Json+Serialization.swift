public import Foundation

extension Json {
    /// The layout of a JSON text. Options combine: `[.pretty, .sortedKeys]`.
    ///
    /// Slashes are not escaped: `https://example.com` stays readable. Unchanged string values and numbers of a received
    /// text keep their spelling, with the escapes that they have.
    public struct Format: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: Int

        /// Makes options from their bits.
        /// - Parameter rawValue: The bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No blanks between tokens: the format for sending.
        public static let compact: Format = []
        /// Each member or element on a line of its own, indented by two spaces for each level. Levels beyond 32 are not
        /// indented further.
        public static let pretty = Format(rawValue: 1)
        /// Members ordered by the UTF-8 bytes of their keys. Equal values then have equal texts, except for the
        /// spelling of numbers and strings, and for repeated keys.
        public static let sortedKeys = Format(rawValue: 2)
    }

    /// Returns the value as a JSON text in UTF-8.
    ///
    /// In ``Format/compact``, the text of a value that this library wrote is returned unchanged. A received text
    /// without blanks is copied unchanged.
    /// - Parameter format: The layout.
    /// - Returns: The text.
    public func serialized(_ format: Format) -> Data {
        if format == .compact, case .written(let text) = storage { return text.bytes }
        var writer = ByteWriter(capacity: estimatedSize)
        var printer = JsonPrinter(format)
        printer.print(self, to: &writer)
        return writer.finish()
    }

    /// Returns the value as a JSON text on one line, in UTF-8.
    /// - Returns: The text.
    public func serialized() -> Data { serialized(.compact) }

    private var estimatedSize: Int {
        guard case .view(let document, let position) = resolved else { return 256 }
        return document.withNodes { $0.range(at: position).count } + 16
    }
}

extension Json: CustomStringConvertible, CustomDebugStringConvertible {
    /// The compact text.
    public var description: String { String(decoding: serialized(), as: UTF8.self) }

    /// The text in ``Format/pretty`` layout: one member or element on each line.
    public var debugDescription: String { String(decoding: serialized(.pretty), as: UTF8.self) }
}
