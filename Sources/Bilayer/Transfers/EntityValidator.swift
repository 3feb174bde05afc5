import Foundation

/// The proof that a part of a file belongs to the file that the server has now. It consists of the value of `If-Range`
/// (RFC 9110 §13.1.5), the length of the file, its addresses, and what else the response was chosen by: fields of the
/// request, and the user. Other responses may have an equal value (RFC 9110 §8.8.3).
struct EntityValidator: Sendable, Hashable {
    let value: String
    /// The length of the whole file, once the server has said it.
    private(set) var length: Int?
    /// The digest of the address for which it was given.
    private let address: String
    /// The digest of the address of the response, after redirects.
    private let source: String
    /// The names of the request's fields that the response may depend on, and the digest of their values.
    private let fields: [String]
    private let variant: String
    /// The user of the call, as ``user(of:)``.
    private let user: String

    /// Reads what ``note`` has written.
    init?(note: String) {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 7 else { return nil }
        (address, value, source) = (lines[0], lines[1], lines[2])
        length = Int(lines[3])
        fields = lines[4].split(separator: ",").map(String.init)
        (variant, user) = (lines[5], lines[6])
    }

    var note: String {
        [address, value, source, length.map(String.init) ?? "", fields.joined(separator: ","), variant, user]
            .joined(separator: "\n")
    }

    /// Whether it was given for a request like this one, of the same user. Numbers of users are those of one run of the
    /// app, so a validator of an earlier run may be that of any user.
    func isOf(_ request: HTTPRequest, for user: String) -> Bool {
        let isOfUser = self.user == user || !self.user.hasPrefix("user ") || !self.user.hasPrefix("user \(runOfApp) ")
        return address == Self.digest(of: request.url) && isOfUser && (self.user == "public") == (user == "public")
            && variant == CacheVariant.digest(of: request, fields: fields)
    }

    /// The user of a call as text, as it is known at its begin.
    static func user(of context: CallContext) -> String {
        if context.options[CredentialPolicy.self] == .omitted { return "public" }
        return "user \(runOfApp) \(context.userNumbers)"
    }

    private static func digest(of url: URL) -> String {
        String(stableHash(of: url.absoluteString.utf8), radix: 16)
    }

    /// A strong entity tag, or a date of change that is older than the response (RFC 9110 §8.8.2.2). `nil` if there is
    /// neither, if the body was compressed, whose bytes are not those of the file, or if the response is chosen by more
    /// than the request.
    init?(_ response: HTTPResponse, of request: HTTPRequest, for user: String) {
        let names = CacheVariant.names(in: response)
        guard response.headers[.contentEncoding] == nil, !names.contains("*") else { return nil }
        address = Self.digest(of: request.url)
        source = Self.digest(of: response.url ?? request.url)
        length = response.streamLength
        let secret = request.headers.map(\.name).filter(\.isSecret).map { $0.rawValue.lowercased() }
        fields = Set(names + secret + ["accept", "accept-language", "authorization", "cookie"]).sorted()
        variant = CacheVariant.digest(of: request, fields: fields)
        self.user = user
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

/// Another text in each run of the app.
private let runOfApp = String(UInt64.random(in: 0...UInt64.max), radix: 16)
