public import Foundation

extension Json {
    /// The layout of a text. Options combine: `[.pretty, .sortedKeys]`.
    ///
    /// Slashes are never escaped: `https://example.com` stays readable. Received strings and numbers that were not
    /// changed keep their spelling.
    public struct Format: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: Int

        /// Makes options from their bits.
        /// - Parameter rawValue: The bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No blanks: the form for the wire.
        public static let compact: Format = []
        /// One member or element a line, indented by two spaces for each level, up to 32 levels.
        public static let pretty = Format(rawValue: 1)
        /// Members ordered by the UTF-8 bytes of their keys. Equal values have equal texts, except for the spelling of
        /// numbers and strings.
        public static let sortedKeys = Format(rawValue: 2)
    }

    /// Returns the value as a JSON text in UTF-8.
    ///
    /// In ``Format/compact`` a value that this library wrote is returned without work, and so is a received text
    /// without blanks.
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

    /// The text with one member or element a line.
    public var debugDescription: String { String(decoding: serialized(.pretty), as: UTF8.self) }
}
