import Foundation

/// The proof that a part of a file belongs to the file that the server has now. It consists of the value of `If-Range`
/// (RFC 9110 §13.1.5), the tag, date and length of the file, its addresses, and of what else chose the response: fields
/// of the request, and the user. The value alone is not enough, because other responses may have an equal one (RFC 9110
/// §8.8.3).
struct EntityValidator: Sendable, Hashable {
    /// The value of `If-Range`: the entity tag if it is strong, else the date.
    let value: String
    /// The `ETag` and the `Last-Modified` of the response, also a weak tag and a date that prove nothing; `nil` if the
    /// response had none.
    private let tag: String?
    private let date: String?
    /// The length of the whole file; `nil` until the server has stated it.
    private(set) var length: Int?
    /// The digest of the address of the request.
    private let address: String
    /// The digest of the address of the response, after redirects.
    private let source: String
    /// The names of the request's fields that the response may depend on, and the digest of their values.
    private let fields: [String]
    private let variant: String
    /// The user of the call, as returned by ``user(of:)``.
    private let user: String

    /// Reads the text of a ``note``.
    init?(note: String) {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 9 else { return nil }
        (address, value, source) = (lines[0], lines[1], lines[2])
        length = Int(lines[3])
        fields = lines[4].split(separator: ",").map(String.init)
        (variant, user) = (lines[5], lines[6])
        tag = lines[7].isEmpty ? nil : lines[7]
        date = lines[8].isEmpty ? nil : lines[8]
    }

    var note: String {
        [
            address, value, source, length.map(String.init) ?? "", fields.joined(separator: ","), variant, user,
            tag ?? "", date ?? "",
        ]
        .joined(separator: "\n")
    }

    /// Whether the validator may belong to this request: to its address and its user. The fields that middlewares will
    /// add are not known yet. The number of a user is valid for one run of the app, so a validator of an earlier run
    /// may belong to any user.
    func mayBeOf(_ request: HTTPRequest, for user: String) -> Bool {
        let isOfUser = self.user == user || !self.user.hasPrefix("user ") || !self.user.hasPrefix("user \(runOfApp) ")
        return address == Self.digest(of: request.url) && isOfUser && (self.user == "public") == (user == "public")
    }

    /// Returns the user of a call as text, as it is known at the begin of the call.
    static func user(of context: CallContext) -> String {
        if context.options[CredentialPolicy.self] == .omitted { return "public" }
        return "user \(runOfApp) \(context.userNumbers)"
    }

    private static func digest(of url: URL) -> String {
        String(stableHash(of: url.absoluteString.utf8), radix: 16)
    }

    /// Makes the validator of a response by its strong entity tag, or by a date of change that is at least a second
    /// older than the response (RFC 9110 §8.8.2.2).
    ///
    /// Returns `nil` if the response has neither. Returns `nil` if the body was compressed, because its bytes are not
    /// those of the file. Returns `nil` for `Vary: *`, because more than the request then chooses the response.
    init?(_ response: HTTPResponse, of request: DownloadRequest, for user: String) {
        // The next request always differs in these two fields.
        let names = CacheVariant.names(in: response).filter { $0 != "range" && $0 != "if-range" }
        guard response.headers[.contentEncoding] == nil, !names.contains("*") else { return nil }
        address = Self.digest(of: request.made.url)
        source = Self.digest(of: response.url ?? request.sent.url)
        length = response.streamLength
        let choosing = request.choosing
        fields = Set(names + Self.credentials(of: choosing) + ["accept", "accept-language"]).sorted()
        variant = CacheVariant.digest(of: choosing, fields: fields)
        self.user = user
        (tag, date) = (Self.field("ETag", of: response), Self.field("Last-Modified", of: response))
        if let tag, Self.isStrong(tag) {
            value = tag
        } else if let date, let changed = HTTPDate.parse(date),
            let sent = response.headers[.date].flatMap(HTTPDate.parse), sent.timeIntervalSince(changed) >= 1
        {
            value = date
        } else {
            return nil
        }
    }

    /// The names of the request's fields that are credentials, in lower case, and of the fields by which servers know a
    /// user.
    private static func credentials(of request: HTTPRequest) -> [String] {
        request.headers.map(\.name).filter(\.isSecret).map { $0.rawValue.lowercased() } + ["authorization", "cookie"]
    }

    /// The value of a field; `nil` if it is empty.
    private static func field(_ name: HTTPHeaders.Name, of response: HTTPResponse) -> String? {
        response.headers[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a tag is quoted and not weak (RFC 9110 §8.8.3). How a server compares any other text is not defined.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }

    /// The validator with the length of the file, if a range states it.
    func completed(by range: ContentRange) -> EntityValidator {
        var known = self
        known.length = length ?? range.total
        return known
    }

    /// Whether a range may belong to the same file. A server that ignores `If-Range` sends a range of any file.
    func accepts(_ range: ContentRange, of response: HTTPResponse, to request: DownloadRequest) -> Bool {
        let choosing = request.choosing
        // Credentials that the first request did not have are compared, too.
        let names = fields + Self.credentials(of: choosing)
        return source == Self.digest(of: response.url ?? request.sent.url) && hasValidators(of: response)
            && (length ?? range.total) == (range.total ?? length)
            && variant == CacheVariant.digest(of: choosing, fields: names)
    }

    /// Whether the tag and the date of a range are those of the file. A changed tag or date is that of another file,
    /// even if the other field is equal. A tag or date that the file did not have is accepted only if the other field
    /// equals ``value``.
    private func hasValidators(of response: HTTPResponse) -> Bool {
        let (tag, date) = (Self.field("ETag", of: response), Self.field("Last-Modified", of: response))
        let isProven = tag == value || date == value
        func fits(_ now: String?, _ known: String?) -> Bool { now == nil || now == known || known == nil && isProven }
        return fits(tag, self.tag) && fits(date, self.date)
    }
}

/// A random text, different in each run of the app.
private let runOfApp = String(UInt64.random(in: 0...UInt64.max), radix: 16)
