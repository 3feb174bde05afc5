import Foundation

/// The proof that a part of a file belongs to the file that the server has now. It consists of the value of `If-Range`
/// (RFC 9110 §13.1.5), the length of the file, and its addresses.
struct EntityValidator: Sendable, Hashable {
    let value: String
    /// The length of the whole file, once the server has said it.
    private(set) var length: Int?
    /// The digest of the address for which it was given: others may have an equal one (RFC 9110 §8.8.3).
    private let address: String
    /// The digest of the address of the response, after redirects.
    private let source: String

    /// Reads what ``note`` has written.
    init?(note: String) {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4 else { return nil }
        (address, value, source) = (lines[0], lines[1], lines[2])
        length = Int(lines[3])
    }

    var note: String { [address, value, source, length.map(String.init) ?? ""].joined(separator: "\n") }

    /// Whether it was given for an address.
    func isOf(_ url: URL) -> Bool { address == Self.digest(of: url) }

    private static func digest(of url: URL) -> String {
        String(stableHash(of: url.absoluteString.utf8), radix: 16)
    }

    /// A strong entity tag, or a date of change that is older than the response (RFC 9110 §8.8.2.2). `nil` if there is
    /// neither, or if the body was compressed: its bytes are not those of the file then.
    init?(_ response: HTTPResponse, of url: URL) {
        guard response.headers[.contentEncoding] == nil else { return nil }
        address = Self.digest(of: url)
        source = Self.digest(of: response.url ?? url)
        length = response.streamLength
        if let tag = response.headers["ETag"], !tag.hasPrefix("W/") {
            value = tag
        } else if let text = response.headers["Last-Modified"], let changed = HTTPDate.parse(text),
            let sent = response.headers[.date].flatMap(HTTPDate.parse), sent.timeIntervalSince(changed) >= 1
        {
            value = text
        } else {
            return nil
        }
    }

    /// The validator with the length of the file, if a range states it.
    func completed(by range: ContentRange) -> EntityValidator {
        var known = self
        known.length = length ?? range.total
        return known
    }

    /// Whether a range can be of the same file. Servers without `If-Range` send one of any file.
    func accepts(_ range: ContentRange, of response: HTTPResponse, from url: URL?) -> Bool {
        let now = response.headers[value.hasPrefix("\"") ? "ETag" : "Last-Modified"]
        let responseURL = response.url ?? url
        return responseURL.map { source == Self.digest(of: $0) } ?? true && (now ?? value) == value
            && (length ?? range.total) == (range.total ?? length)
    }
}
