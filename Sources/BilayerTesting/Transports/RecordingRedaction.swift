import Bilayer
import Foundation

/// Replaces the secrets of requests and responses, so that a recording can be committed.
struct RecordingRedaction {
    /// A secret value.
    struct Secret: Equatable {
        let text: String
        /// The name of the value, by which it is secret.
        let name: String
        var isNumber = false
    }

    let names: SecretNames
    /// Returns the replacement of a secret: a text, or the digits of a number.
    let replace: (Secret) -> String
    /// The replacement of a part of a secret, and of a body that cannot be encoded again.
    private static let replacement = "redacted"
    /// The maximum nesting of values inside query values that is examined. Deeper values are replaced, because the
    /// search is recursive and uses the stack.
    private static let mostValuesInValues = 16
    private var valuesAround = 0
    /// Header fields whose values differ from run to run.
    private static let unstable: Set<HTTPHeaders.Name> = ["Date", "Age", "Content-Length", "Connection", "Keep-Alive"]

    init(_ names: SecretNames, replacingBy replace: @escaping (Secret) -> String) {
        self.names = names
        self.replace = replace
    }

    /// Returns the key of a request, equal for a recorded request and its replay.
    func key(of request: HTTPRequest) -> Recording.RequestKey {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        // Items with the same name are a list, so their order is kept.
        let items = (parts?.percentEncodedQueryItems ?? []).enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { item(Substring("\($0.element.name)=\($0.element.value ?? "")"), isQuery: true) }
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        let mediaType = request.headers[.contentType].flatMap { MediaType($0) }
        let body = request.body?.data ?? request.body?.file.flatMap { try? Data(contentsOf: $0) }
        return .init(
            method: "\(request.method)",
            target: address(parts?.percentEncodedPath ?? "") + query,
            body: body.map { canonical($0, mediaType) } ?? ""
        )
    }

    /// Decodes the percent-encoding and the pluses of a name or value. Returns `nil` if the bytes are not text.
    private func decoded(_ text: some StringProtocol) -> String? {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }

    /// Whether the value of a query item or a part is secret. In a query, the value of `key` is secret, too: `?key=…`.
    private func hides(_ value: String, of name: String, isQuery: Bool = false) -> Bool {
        if value.isEmpty { return false }
        return switch names.secrecy(of: name) {
        case .all: true
        case .text, .allButCount: Int(value) == nil
        case .none: isQuery && name.lowercased() == "key" && !names.keeps(name)
        }
    }

    /// Returns a body without secrets in one canonical spelling. JSON, forms and parts are normalized, other text is
    /// unchanged, and other bytes are base64.
    private func canonical(_ body: Data, _ mediaType: MediaType?) -> String {
        if mediaType?.isMultipart == true, let boundary = mediaType?.parameters["boundary"] {
            return parts(of: body, between: boundary)
        }
        guard let (text, _) = mediaType.text(of: body) else { return body.base64EncodedString() }
        if mediaType?.isForm == true { return form(text) }
        guard let json = try? Json(parsing: Data(text.utf8)) else { return lines(text) }
        return String(decoding: (redacted(json) ?? json).serialized(.sortedKeys), as: UTF8.self)
    }

    /// Returns the pairs of a form or query without secrets.
    private func form(_ text: some StringProtocol, isQuery: Bool = false) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item(Substring($0), isQuery: isQuery) }
            .joined(separator: "&")
    }

    /// Returns an item of a form or query without secrets. Some servers also separate items by `;`. The text after a
    /// secret that follows a `;` is replaced, too, because it can be a part of the secret.
    private func item(_ item: Substring, isQuery: Bool) -> String {
        guard let mark = item.firstIndex(of: "=") else { return String(item) }
        let whole = pair(item[..<mark], item[item.index(after: mark)...], isQuery: isQuery)
        if whole != item { return whole }
        for separator in item.indices where item[separator] == ";" {
            let rest = item[item.index(after: separator)...]
            let name = rest.prefix { !"=;".contains($0) }
            let value = rest[name.endIndex...].dropFirst()
            if rest[name.endIndex...].first == "=",
                hides(String(value.prefix { $0 != ";" }), of: decoded(name) ?? String(name), isQuery: isQuery)
            {
                return item[...separator] + pair(name, value, isQuery: isQuery)
            }
        }
        return whole
    }

    /// Returns a pair of a form or query without secrets. Its value can contain JSON, such as GraphQL variables, or an
    /// address.
    private func pair(_ name: some StringProtocol, _ value: some StringProtocol, isQuery: Bool) -> String {
        let plain = decoded(value)
        let plainName = decoded(name) ?? String(name)
        if hides(plain ?? String(value), of: plainName, isQuery: isQuery) {
            return "\(name)=\(replace(Secret(text: plain ?? String(value), name: plainName)))"
        }
        guard let plain else { return "\(name)=\(value)" }
        let hidden = insideOfAValue(plain)
        if hidden == plain { return "\(name)=\(value)" }
        return "\(name)=\(hidden.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? Self.replacement)"
    }

    private func insideOfAValue(_ text: String) -> String {
        guard valuesAround < Self.mostValuesInValues else { return Self.replacement }
        var inside = self
        inside.valuesAround += 1
        let shown = inside.lines(text)
        return shown == text ? inside.address(text) : shown
    }

    /// Returns a JSON text without its secrets. Returns `nil` if the text is not JSON or has no secrets.
    private func withoutSecrets(_ text: some StringProtocol) -> String? {
        guard text.contains(where: { "{[".contains($0) }), let json = try? Json(parsing: Data(text.utf8)) else {
            return nil
        }
        return redacted(json).map { String(decoding: $0.serialized(), as: UTF8.self) }
    }

    /// Returns a text without secrets. The text is JSON, or its lines can be: NDJSON, JSON text sequences, or
    /// server-sent events, whose data can have several lines. In incomplete JSON on several lines, a secret member can
    /// have its value on a later line. Then the rest of the text is removed.
    private func lines(_ text: String) -> String {
        if let hidden = withoutSecrets(text) { return hidden }
        var result = ""
        var data: [Substring] = []
        var rest = text[...]
        func takeData() {
            if data.count > 1, let hidden = withoutSecrets(data.map { $0.dropFirst(5) }.joined(separator: "\n")) {
                result += "data: \(hidden)\n"
            } else {
                for line in data {
                    let (shown, isOpen) = self.line(line.prefix { !$0.isLineEnd })
                    result += shown
                    if isOpen {
                        rest = ""
                        break
                    }
                    result += line.drop { !$0.isLineEnd }
                }
            }
            data = []
        }
        while !rest.isEmpty {
            let end = rest.firstIndex(where: \.isLineEnd).map { rest.index(after: $0) } ?? rest.endIndex
            data.append(rest[..<end])
            let isData = rest.hasPrefix("data:")
            rest = rest[end...]
            if !isData || !rest.hasPrefix("data:") { takeData() }
        }
        return result
    }

    /// Returns a line without secrets.
    /// - Returns: The line, and whether the value of its secret member is on a later line.
    private func line(_ line: Substring) -> (text: String, isOpen: Bool) {
        guard let start = line.firstIndex(where: { "{[".contains($0) }) else { return cut(line) }
        if let hidden = withoutSecrets(line[start...]) { return (line[..<start] + hidden, false) }
        if (try? Json(parsing: Data(line[start...].utf8))) != nil { return (String(line), false) }
        return cut(line)
    }

    /// Returns a line that is not whole JSON, up to its first secret member. The line can be part of a document on
    /// several lines, or the last line of a stream that was not read to its end.
    private func cut(_ line: Substring) -> (text: String, isOpen: Bool) {
        var rest = line
        while let open = rest.firstIndex(of: "\"") {
            let inside = rest[rest.index(after: open)...]
            let close = inside.endOfString
            let name = inside[..<close]
            rest = close < inside.endIndex ? inside[inside.index(after: close)...] : inside[close...]
            let after = rest.drop { $0 == " " || $0 == "\t" }
            guard after.first == ":" || after.isEmpty else { continue }
            let value = after.dropFirst().drop { $0 == " " || $0 == "\t" }
            let isNumber = value.first.map { $0.isNumber || $0 == "-" } ?? false
            switch names.secrecy(of: String(name)) {
            case .none: continue
            case .text: if isNumber || value.first == "{" { continue }
            case .allButCount: if isNumber { continue }
            case .all: break
            }
            return (
                line[..<close] + "\":\"" + Self.replacement, value.isEmpty || "{[".contains(value[value.startIndex])
            )
        }
        return (String(line), false)
    }

    /// Returns a text, for example a header field, without the secrets of its addresses. Secrets are users, and values
    /// with secret names in queries, fragments and path parameters. A text that has no host and does not begin with a
    /// slash may be no address. In such a text, only a part that looks like a query is examined.
    private func address(_ text: String) -> String {
        let isAddress = text.hasPrefix("/") || text.contains("://")
        guard isAddress || text.contains(where: { "?#".contains($0) }), !isJson(text) else { return text }
        var rest = text[...]
        var hidden = ""
        while let mark = rest.firstIndex(where: { "?/#;".contains($0) }) {
            let kind = rest[mark]
            hidden += rest[...mark]
            rest = rest[rest.index(after: mark)...]
            if kind != "/" {
                let end = rest.firstIndex {
                    $0.isWhitespace || "<>\"#?".contains($0) || kind == ";" && "/;".contains($0)
                }
                var query = rest[..<(end ?? rest.endIndex)]
                while let last = query.last, ",;".contains(last) { query = query.dropLast() }
                let isItem = isAddress || kind != ";" && query.first?.mayBeginName == true
                hidden += isItem ? form(query, isQuery: isAddress || kind == "?") : String(query)
                rest = rest[query.endIndex...]
            } else if hidden.hasSuffix("://") || ["//", "<//"].contains(hidden.suffix(3)),
                let user = rest.prefix(while: { !"/?# ".contains($0) }).lastIndex(of: "@")
            {
                hidden += replace(Secret(text: String(rest[..<user]), name: "user"))
                rest = rest[user...]
            }
        }
        return hidden + rest
    }

    private func isJson(_ text: String) -> Bool {
        text.first.map { "{[".contains($0) } == true && (try? Json(parsing: Data(text.utf8))) != nil
    }

    /// Returns the parts of a body (RFC 2046 §5.1). The boundary is left out, because it differs from request to
    /// request.
    private func parts(of body: Data, between boundary: String) -> String {
        var texts: [String] = []
        var rest = body[...]
        let separator = Data("--\(boundary)".utf8)
        while let found = rest.range(of: separator) {
            texts.append(part(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return texts.dropFirst().joined(separator: "\n--\n")
    }

    private func part(_ bytes: Data) -> String {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return String(decoding: bytes, as: UTF8.self) }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let value = Data(bytes[end.upperBound...])
        if let secret = secretPart(head, value) { return head + "\n\n" + replace(secret) }
        return head + "\n\n" + (String(data: value, encoding: .utf8).map(lines) ?? value.base64EncodedString())
    }

    /// Returns the value of a part whose name is secret, without the line break before the next boundary.
    private func secretPart(_ head: String, _ value: Data) -> Secret? {
        guard let name = nameOfPart(head).map({ decoded($0) ?? $0 }) else { return nil }
        let text = String(data: value, encoding: .utf8) ?? value.base64EncodedString()
        let trimmed = text.trimmingCharacters(in: .newlines)
        return hides(trimmed, of: name) ? Secret(text: trimmed, name: name) : nil
    }

    /// Returns the name of a part, which can be in quotes (RFC 2183 §2).
    private func nameOfPart(_ head: String) -> String? {
        for field in head.split(whereSeparator: \.isLineEnd)
        where field.lowercased().hasPrefix("content-disposition:") {
            for parameter in field.split(separator: ";").map({ $0.drop { $0 == " " || $0 == "\t" } })
            where parameter.lowercased().hasPrefix("name=") {
                return parameter.dropFirst(5).filter { !"\" ".contains($0) }
            }
        }
        return nil
    }

    func redacted(_ response: HTTPResponse) -> HTTPResponse {
        var fields = HTTPHeaders()
        for field in response.headers where !Self.unstable.contains(field.name) {
            let secret = names.hides(field: field.name) ? Secret(text: field.value, name: field.name.rawValue) : nil
            fields.append(secret.map(replace) ?? address(field.value), for: field.name)
        }
        let mediaType = response.mediaType
        var response = HTTPResponse(status: response.status, headers: fields, body: response.body)
        if mediaType?.isMultipart == true, let boundary = mediaType?.parameters["boundary"] {
            response.body = withoutSecrets(response.body, between: boundary)
        } else if let (text, encoding) = mediaType.text(of: response.body) {
            let hidden = mediaType?.isForm == true ? form(text) : lines(text)
            if hidden != text { response.body = hidden.data(using: encoding) ?? Data(Self.replacement.utf8) }
        }
        return response
    }

    /// Returns a multipart body without secrets. Its boundaries are kept.
    private func withoutSecrets(_ body: Data, between boundary: String) -> Data {
        var result = Data()
        var rest = body[...]
        let separator = Data("--\(boundary)".utf8)
        func take(_ part: Data) {
            guard let head = part.range(of: Data("\r\n\r\n".utf8)),
                let text = String(data: part[head.upperBound...], encoding: .utf8)
            else { return result.append(part) }
            result.append(part[..<head.upperBound])
            let secret = secretPart(String(decoding: part[..<head.lowerBound], as: UTF8.self), Data(text.utf8))
            result.append(Data((secret.map { replace($0) + "\r\n" } ?? lines(text)).utf8))
        }
        while let found = rest.range(of: separator) {
            take(Data(rest[..<found.lowerBound]))
            result.append(separator)
            rest = rest[found.upperBound...]
        }
        take(Data(rest))
        return result
    }

    /// Replaces the strings and numbers in secret members at every depth, also in strings that contain JSON. The kind
    /// of a value stays. Nested values are visited without recursion, so that deep JSON cannot exhaust the stack. Only
    /// JSON in strings is read recursively: its escapes double with each level, so only few levels are possible.
    /// - Returns: The JSON without secrets; `nil` if it has none.
    private func redacted(_ json: Json) -> Json? {
        var json = json
        var open: [(value: Json, path: JsonPath, secrecy: SecretNames.Secrecy, name: String)] = [
            (json, .root, .none, "")
        ]
        var places: [(JsonPath, Json)] = []
        while let (value, path, secrecy, name) = open.popLast() {
            let inner: SecretNames.Secrecy = secrecy == .allButCount ? .all : secrecy
            switch value.kind {
            case .array:
                let elements = value.elements.enumerated()
                    .map { (value: $1, path: path.appending(.index($0)), secrecy: inner, name: name) }
                open += elements.reversed()
            case .object:
                // Visits members in the order of their keys, so that equal objects have equal placeholders.
                for (key, member) in value.members.sorted(by: { $0.key > $1.key }) {
                    let isInside = secrecy == .allButCount || secrecy == .all
                    let own = names.keeps(key) ? .none : isInside ? .all : names.secrecy(of: key)
                    open.append((member, path.appending(.key(key)), own, isInside ? name : key))
                }
            case .string:
                let text = value.string ?? ""
                if secrecy != .none {
                    places.append((path, Json(replace(Secret(text: text, name: name)))))
                } else {
                    let hidden = withoutSecrets(text) ?? address(text)
                    if hidden != text { places.append((path, Json(hidden))) }
                }
            case .number where secrecy == .all:
                let number = Int(replace(Secret(text: "\(value)", name: name, isNumber: true)))
                places.append((path, Json(number ?? 0)))
            case .number, .bool, .null: continue
            }
        }
        for (place, other) in places { json.set(other, at: place) }
        // `Optional.none`, because the literal `nil` would be the JSON value `null`.
        return places.isEmpty ? Optional.none : json
    }
}

extension MediaType {
    fileprivate var isMultipart: Bool { essence.hasPrefix("multipart/") }
    fileprivate var isForm: Bool { essence == "application/x-www-form-urlencoded" }
}

extension MediaType? {
    /// Returns a body as text, with its encoding. It tries UTF-8, then the encoding of `charset`. Forms and JSON
    /// without `charset` are read as Latin-1, in which every byte is valid.
    fileprivate func text(of body: Data) -> (text: String, encoding: String.Encoding)? {
        if let text = String(data: body, encoding: .utf8) { return (text, .utf8) }
        let encoding: String.Encoding? =
            switch self?.parameters["charset"]?.lowercased() {
            case "utf-16": .utf16
            case "utf-16le": .utf16LittleEndian
            case "utf-16be": .utf16BigEndian
            case .some: .isoLatin1
            case nil: self?.isJson == true || self?.isForm == true ? .isoLatin1 : nil
            }
        return encoding.flatMap { encoding in String(data: body, encoding: encoding).map { ($0, encoding) } }
    }
}

extension Substring {
    /// The index of the quotation mark that ends a JSON string, or the end of the text.
    fileprivate var endOfString: Index {
        var isEscaped = false
        for place in indices {
            if isEscaped {
                isEscaped = false
            } else if self[place] == "\"" {
                return place
            } else {
                isEscaped = self[place] == "\\"
            }
        }
        return endIndex
    }
}

extension Character {
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }

    /// Whether a query item's name can begin with this character. In a regular expression, other characters follow a
    /// `?`.
    fileprivate var mayBeginName: Bool { isLetter || isNumber || "_-.[%$&;".contains(self) }
}
