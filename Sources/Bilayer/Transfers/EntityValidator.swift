import Foundation

/// What a part of a file on the disk belongs to. It is continued only by a range of that:
///
/// - one version of the file, by the value of `If-Range` (RFC 9110 §13.1.5), its date and its length,
/// - for one address that the client has requested,
/// - by one choice: the address as it was sent, that of the response, and the fields of the request by which a server
///   chooses what it sends.
///   Responses to two choices may have an equal tag (RFC 9110 §8.8.3),
/// - of one user, where a middleware has set the credentials (``DownloadRequest/users``).
struct EntityValidator: Sendable, Hashable {
    /// The value of `If-Range`: a strong entity tag, or the date if the file has no tag.
    let value: String
    /// The `Last-Modified` of the response; `nil` if it had none.
    private let date: String?
    /// The length of the whole file; `nil` until the server has stated it.
    private(set) var length: Int?
    /// Random, so that equal credentials have different digests in two files. It is no protection from those who can
    /// read this file, so only its user can (``PartialFile``).
    private let salt: String
    /// The digest of the address that was requested.
    private let address: String
    /// The names of the request's fields that the response may depend on.
    private let names: [String]
    /// The digest of the two addresses, and of these fields.
    private let choice: String
    /// The users, with the run of the app whose numbers they are; empty if there are none.
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

    /// The file beside the part. Its lines are the value, the date or nothing, the length or nothing, the salt, the
    /// digest of the address, the names separated by commas, the digest of the choice, and the users or nothing.
    var note: String {
        let length = length.map(String.init) ?? ""
        return [value, date ?? "", length, salt, address, names.joined(separator: ","), choice, users]
            .joined(separator: "\n")
    }

    /// Whether the part may be of the response to a request, as far as that is known before middlewares have added
    /// their fields.
    func mayMatch(_ request: HTTPRequest) -> Bool {
        DownloadRequest.mayHaveRange(request) && address == Self.digest(of: request.url.absoluteString, salt)
    }

    /// Whether a request has asked for the rest of the part. Only such a request may be followed by another one, for
    /// the whole file.
    func isRequested(by request: DownloadRequest) -> Bool {
        mayMatch(request.made) && DownloadRequest.mayHaveRange(request.sent) && request.sent.headers["Range"] != nil
    }

    /// `nil` without a strong entity tag, or without a tag and a date of change that is older than the response (RFC
    /// 9110 §8.8.2.2). `nil` also if no range can be requested, if the body was compressed, whose bytes are not those
    /// of the file, or if the response is chosen by more than the request.
    init?(_ response: HTTPResponse, of request: DownloadRequest) {
        // The next request differs in these always.
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

    /// The address as it was sent, that of the response, and the fields. The query of one that a redirect has made may
    /// be a signature, which is another one in each request. A tag proves that the file is the same one; a date does
    /// not. The query as it was sent always counts: it may say whose file it is.
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

    /// Whether a range is of what the part belongs to. Servers without `If-Range` send one of any file.
    func accepts(_ range: ContentRange, of response: HTTPResponse, to request: DownloadRequest) -> Bool {
        // A credential that the first request did not have is compared, too.
        let names = names + Self.credentials(of: request.choosing)
        let text = Self.choice(of: response, to: request, fields: names, isProvenByTag: value != date)
        return isVersion(of: response) && (length ?? range.total) == (range.total ?? length)
            && choice == Self.digest(of: text, salt) && isOfUsers(of: request)
    }

    /// Whether a range has the proof of the file itself (RFC 9110 §15.3.7.3), and no other date. One without a proof
    /// may be of any version.
    private func isVersion(of response: HTTPResponse) -> Bool {
        let (tag, changed) = (Self.field("ETag", of: response), Self.field("Last-Modified", of: response))
        guard (value == date ? changed : tag) == value else { return false }
        return changed == nil || date == nil || changed == date
    }

    /// Whether the users are those of the part. Their numbers are those of one run of the app, so a part of an earlier
    /// run may be that of any user.
    private func isOfUsers(of request: DownloadRequest) -> Bool {
        let now = Self.users(of: request)
        return users == now || !users.isEmpty && !now.isEmpty && !users.hasPrefix("\(runOfApp) ")
    }
}

/// A random text, different in each run of the app.
private let runOfApp = String(UInt64.random(in: 0...UInt64.max), radix: 16)
