import Foundation

/// Identifies the file of which a part is stored on the disk. The part is continued only with a range that has the
/// same:
///
/// - version of the file: the value of `If-Range` (RFC 9110 §13.1.5), and the date and the length of the file if both
///   responses state them,
/// - address as the client has requested it,
/// - choice: the address as it was sent, the address of the response, and the request's fields by which a server
///   selects the response. Responses to different choices may have equal tags (RFC 9110 §8.8.1),
/// - user, if a middleware has set the credentials (``DownloadRequest/users``) and this run of the app has stored the
///   part.
struct EntityValidator: Sendable, Hashable {
    /// The value of `If-Range`: a strong entity tag, or the date if the file has no tag.
    let value: String
    /// The `Last-Modified` of the response; `nil` if it had none.
    private let date: String?
    /// The length of the whole file; `nil` until the server has stated it.
    private(set) var length: Int?
    /// A random text, with which equal credentials have different digests in two files. It does not protect the
    /// credentials from someone who can read the file with the ``note``. So only the owner of that file can read it
    /// (``PartialFile``).
    private let salt: String
    /// The digest of the address that was requested.
    private let address: String
    /// The names of the request's fields that the response may depend on.
    private let names: [String]
    /// The digest of the choice: of the two addresses, and of the fields with these names.
    private let choice: String
    /// The id of the app's run that has stored the part, then the numbers of the users, which are valid only in that
    /// run. Empty if there are no users.
    private let users: String

    /// Reads the text of a ``note``.
    init?(note: String) {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 8 else { return nil }
        value = lines[0]
        date = lines[1].isEmpty ? nil : lines[1]
        length = Int(lines[2])
        (salt, address) = (lines[3], lines[4])
        names = lines[5].split(separator: ",").map(String.init)
        (choice, users) = (lines[6], lines[7])
    }

    /// The contents of the file beside the part. The lines are the value, date, length, salt, digest of the address,
    /// names separated by commas, digest of the choice, and users. The date, length and users may be empty.
    var note: String {
        let length = length.map(String.init) ?? ""
        return [value, date ?? "", length, salt, address, names.joined(separator: ","), choice, users]
            .joined(separator: "\n")
    }

    /// Whether the part may belong to the response to a request, as far as that is known before middlewares have added
    /// their fields.
    func mayMatch(_ request: HTTPRequest) -> Bool {
        DownloadRequest.mayHaveRange(request) && address == Self.digest(of: request.url.absoluteString, salt)
    }

    /// Whether a request asked for the rest of the part. Only after such a request, another request for the whole file
    /// may follow.
    func isRequested(by request: DownloadRequest) -> Bool {
        mayMatch(request.made) && DownloadRequest.mayHaveRange(request.sent) && request.sent.headers["Range"] != nil
    }

    /// Makes the validator of a response. The response needs a strong entity tag, or no tag and a `Last-Modified` at
    /// least a second before its `Date` (RFC 9110 §8.8.2.2). Otherwise returns `nil`. Also returns `nil` if no range
    /// can be requested, if the body is compressed, or if the response depends on more than the request (`Vary: *`).
    /// The bytes of a compressed body are not the file's bytes.
    init?(_ response: HTTPResponse, of request: DownloadRequest) {
        // The next request always differs in these two fields.
        let varying = VaryFields.names(in: response).filter { $0 != "range" && $0 != "if-range" }
        guard DownloadRequest.mayHaveRange(request.made), DownloadRequest.mayHaveRange(request.sent),
            !response.isEncoded, !varying.contains("*")
        else { return nil }
        date = Self.field("Last-Modified", of: response)
        if let tag = Self.field("ETag", of: response) {
            guard Self.isStrong(tag) else { return nil }
            value = tag
        } else if let date, let changed = HTTPDate.parse(date),
            let sent = response.headers[.date].flatMap(HTTPDate.parse), sent.timeIntervalSince(changed) >= 1
        {
            value = date
        } else {
            return nil
        }
        length = response.streamLength
        salt = UUID().uuidString
        address = Self.digest(of: request.made.url.absoluteString, salt)
        names = Set(varying + Self.credentials(of: request.choosing) + ["accept", "accept-language"]).sorted()
        let choice = Self.choice(of: response, to: request, fields: names, isProvenByTag: value != date)
        self.choice = Self.digest(of: choice, salt)
        users = Self.users(of: request)
    }

    /// The names of the request's fields that are credentials, in lower case, and of the fields by which servers know a
    /// user.
    private static func credentials(of request: HTTPRequest) -> [String] {
        request.headers.map(\.name).filter(\.isSecret).map { $0.rawValue.lowercased() } + ["authorization", "cookie"]
    }

    /// Returns the text of the choice: the address as it was sent, the address of the response, and the fields. After a
    /// redirect, the query of the response's address may be a signature that differs in each request. If a tag proves
    /// that the file is unchanged, this query is left out; a date proves too little. The query of the sent address is
    /// always included, because it may name the file's owner.
    private static func choice(
        of response: HTTPResponse,
        to request: DownloadRequest,
        fields names: [String],
        isProvenByTag: Bool
    ) -> String {
        let address = (response.url ?? request.sent.url).absoluteString
        let place = isProvenByTag ? String(address.prefix { $0 != "?" }) : address
        let fields = VaryFields.text(of: request.choosing, fields: names)
        return [request.choosing.url.absoluteString, place, fields].joined(separator: "\n")
    }

    private static func users(of request: DownloadRequest) -> String {
        request.users.isEmpty ? "" : "\(runOfApp) \(request.users)"
    }

    private static func digest(of text: String, _ salt: String) -> String {
        SHA256.hexadecimal(of: salt + "\n" + text)
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

    /// Whether a range belongs to the same file as the part. A server that ignores `If-Range` may send a range of
    /// another file.
    func accepts(_ range: ContentRange, of response: HTTPResponse, to request: DownloadRequest) -> Bool {
        // A credential that the first request did not have is compared, too.
        let names = names + Self.credentials(of: request.choosing)
        let text = Self.choice(of: response, to: request, fields: names, isProvenByTag: value != date)
        return isVersion(of: response) && (length ?? range.total) == (range.total ?? length)
            && choice == Self.digest(of: text, salt) && isOfUsers(of: request)
    }

    /// Whether a range has the tag or the date of the file (RFC 9110 §15.3.7.3), and no other date. A range without tag
    /// and date may belong to any version.
    private func isVersion(of response: HTTPResponse) -> Bool {
        let (tag, changed) = (Self.field("ETag", of: response), Self.field("Last-Modified", of: response))
        guard (value == date ? changed : tag) == value else { return false }
        return changed == nil || date == nil || changed == date
    }

    /// Whether the users of a request may be the users of the part. Users are numbered in each run of the app. So the
    /// users of a part from an earlier run are unknown. A request of any users is then accepted, but not one without
    /// users.
    private func isOfUsers(of request: DownloadRequest) -> Bool {
        let now = Self.users(of: request)
        return users == now || !users.isEmpty && !now.isEmpty && !users.hasPrefix("\(runOfApp) ")
    }
}

/// A random text, different in each run of the app.
private let runOfApp = String(UInt64.random(in: 0...UInt64.max), radix: 16)
