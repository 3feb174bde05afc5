public import Foundation

/// Bytes as Base64 text (RFC 4648 §4): `@Formatted<Base64> var thumbnail: Data`.
public enum Base64: NamedFormat {
    /// Bytes as text.
    public static var format: ValueFormat<Data> { .base64 }
}

/// Bytes as Base64 text for addresses (RFC 4648 §5), with or without padding: `@Formatted<Base64URL> var token: Data`.
public enum Base64URL: NamedFormat {
    /// Bytes as text.
    public static var format: ValueFormat<Data> { .base64URL }
}

/// Deviations from plain Base64 text that a format accepts.
public struct Base64Options: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The padding (`=`) may be missing when a text is read. It is not written.
    public static let withoutPadding = Base64Options(rawValue: 1)
    /// Line breaks are skipped when a text is read, as in MIME (RFC 2045 §6.8).
    public static let skippingLineBreaks = Base64Options(rawValue: 2)
}

extension ValueFormat where Value == Data {
    /// Base64 with `+`, `/` and padding (RFC 4648 §4).
    public static var base64: Self { .base64() }

    /// Base64 with `-` and `_` (RFC 4648 §5), with or without padding. The format writes no padding.
    public static var base64URL: Self { .base64URL(.withoutPadding) }

    /// Base64 with `+` and `/` (RFC 4648 §4).
    /// - Parameter options: The accepted deviations.
    /// - Returns: The format.
    public static func base64(_ options: Base64Options = []) -> Self {
        Self(text: "Base64") { text in
            Data(base64Text: text, options)
        } write: { data in
            data.base64Text(options)
        }
    }

    /// Base64 with `-` and `_` (RFC 4648 §5).
    /// - Parameter options: The accepted deviations.
    /// - Returns: The format.
    public static func base64URL(_ options: Base64Options) -> Self {
        Self(text: "URL-safe Base64") { text in
            text.utf8.contains { $0 == Ascii.plus || $0 == Ascii.slash }
                ? nil : Data(base64Text: text.replacing("-", with: "+").replacing("_", with: "/"), options)
        } write: { data in
            data.base64Text(options).replacing("+", with: "-").replacing("/", with: "_")
        }
    }
}

extension Data {
    fileprivate init?(base64Text text: String, _ options: Base64Options) {
        var text = text
        if options.contains(.skippingLineBreaks) { text.unicodeScalars.removeAll { $0 == "\r" || $0 == "\n" } }
        if options.contains(.withoutPadding), !text.utf8.contains(UInt8(ascii: "=")) {
            text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        }
        // Foundation also accepts some texts with `=` elsewhere, such as `AA=A`. They are refused here.
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, text.utf8.count % 4 == 0, !text.utf8.dropLast(padding).contains(UInt8(ascii: "=")) else {
            return nil
        }
        self.init(base64Encoded: text)
    }

    fileprivate func base64Text(_ options: Base64Options) -> String {
        let text = base64EncodedString()
        return options.contains(.withoutPadding) ? text.replacing("=", with: "") : text
    }
}
