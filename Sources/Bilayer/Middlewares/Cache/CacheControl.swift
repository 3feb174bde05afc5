import Foundation

/// The directives of `Cache-Control` (RFC 9111 §5.2), read so that a doubtful value makes a response older, never
/// younger.
struct CacheControl {
    /// The largest number of seconds. Larger numbers are read as this number (RFC 9111 §1.2.2).
    static let maximumSeconds: TimeInterval = 2_147_483_648

    /// The arguments of each directive, by its name in lower case; `nil` for an occurrence without an argument.
    private var occurrences: [String: [String?]] = [:]

    /// Reads the directives of a response.
    init(of response: HTTPHeaders) {
        for value in response.values(for: .cacheControl) {
            for element in value.listElements { add(element) }
        }
    }

    /// Reads the directives of a request. `Pragma: no-cache` counts if there is no `Cache-Control` (RFC 9111 §5.4).
    init(ofRequest headers: HTTPHeaders) {
        self.init(of: headers)
        guard headers[.cacheControl] == nil, let pragma = headers[CacheField.pragma] else { return }
        if pragma.listElements.contains(where: { $0.lowercased() == "no-cache" }) { add("no-cache") }
    }

    /// Whether the directive is present, with or without an argument.
    func has(_ name: String) -> Bool { occurrences[name] != nil }

    /// Whether the directive is present for the whole message, not only for the fields that it names.
    func hasUnqualified(_ name: String) -> Bool {
        occurrences[name]?.contains { $0 == nil || fieldNames(in: $0 ?? "").isEmpty } ?? false
    }

    /// Whether the directive is present, and never with an argument.
    func isBare(_ name: String) -> Bool { occurrences[name]?.allSatisfy { $0 == nil } ?? false }

    /// The fields that the directive names: `no-cache="X-Token"`.
    func fields(_ name: String) -> [HTTPHeaders.Name] {
        (occurrences[name] ?? []).flatMap { fieldNames(in: $0 ?? "") }
    }

    /// Returns the seconds of a directive; `nil` if the directive is absent. Returns `doubtful` if the argument is
    /// missing or not a number, or if two arguments differ (RFC 9111 §4.2.1).
    func seconds(_ name: String, doubtful: TimeInterval) -> TimeInterval? {
        guard let arguments = occurrences[name] else { return nil }
        guard let first = arguments.first ?? nil, arguments.allSatisfy({ $0 == first }) else { return doubtful }
        return Self.seconds(first) ?? doubtful
    }

    /// Reads delta-seconds (RFC 9111 §1.2.2); `nil` for anything but digits.
    static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return min(TimeInterval(text) ?? maximumSeconds, maximumSeconds)
    }

    private mutating func add(_ element: String) {
        let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var name = parts[0].trimmingBlanks.lowercased()
        // A text that is not a valid directive may be a directive with a typing error, such as `no-store;`. So its
        // beginning is used.
        let written = name
        name = String(name.prefix { $0.isASCII && $0.isLetter || $0 == "-" || $0.isNumber })
        var argument = parts.count == 2 ? unquoted(parts[1].trimmingBlanks) : nil
        // The grammar has no blanks around the `=`. Blanks there, or a typing error in the name, make the argument
        // doubtful.
        let hasBlanks = parts[0].last?.isWhitespace == true || parts.last?.first?.isWhitespace == true
        if parts.count == 2, hasBlanks || name != written { argument = "" }
        occurrences[name, default: []].append(argument)
    }

    /// The content of a quoted string (RFC 9110 §5.6.4); any other text as it is. Empty if the last quote is missing,
    /// or if there is another quote inside: such an argument is doubtful.
    private func unquoted(_ text: String) -> String {
        guard text.hasPrefix("\"") else { return text }
        let inner = text.dropFirst().dropLast()
        guard text.count > 1, text.hasSuffix("\""), !inner.contains("\"") else { return "" }
        return String(inner.filter { $0 != "\\" })
    }

    private func fieldNames(in argument: String) -> [HTTPHeaders.Name] {
        argument.listElements.map { HTTPHeaders.Name($0) }.filter(\.isValid)
    }
}
