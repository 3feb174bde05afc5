import Foundation

extension HTTPRequest {
    /// The request as a command for curl, for a log.
    ///
    /// The command leaves out user info, parameters of the path, values of a route's arguments and of the query, the
    /// fragment, secret header values and the body. To repeat the request by hand, put the values in where the text has
    /// `{name}`, `…`, `<redacted>` and the size of the body.
    ///
    /// ```swift
    /// print(request.curlCommand)
    /// // curl -X POST 'https://api.example.com/users?page=…' -H 'Authorization: <redacted>' --data-binary '<18 B>'
    /// ```
    public var curlCommand: String {
        var words = ["curl"]
        switch method {
        case .get where body == nil: break
        case .head: words.append("--head")
        default: words += ["-X", shellWord(method.rawValue)]
        }
        let address = redactedAddress(url.absoluteString)
        words.append(shellWord(endpoint?.namingArguments(in: address, below: baseURL) ?? address))
        for field in headers.joiningCookies { words += ["-H", headerWord(field)] }
        if let body { words += ["--data-binary", shellWord("<\(body)>")] }
        return words.joined(separator: " ")
    }
}

/// Returns a field as an argument of curl. For curl, a name with a colon and no value removes the field, and a name
/// with a semicolon is a field with an empty value.
private func headerWord(_ field: HTTPHeaders.Field) -> String {
    let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    return shellWord(isBlank ? "\(field.name);" : "\(field)")
}

/// Returns the text as one word for a POSIX shell: in single quotes (POSIX.1-2017 §2.2.2), unless it has only ASCII
/// letters and `-_./`.
private func shellWord(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
        $0.isASCII && $0.properties.isAlphabetic || "-_./".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
}
