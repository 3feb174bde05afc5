extension HTTPHeaders.Name {
    /// Whether the values of the field are credentials. Descriptions omit such values, and redirects to another origin
    /// do not send them.
    ///
    /// True for names with a word such as `Auth`, `Key`, `Token`, `Secret`, `Password`, `Session`, `Cookie`,
    /// `Signature` or `Credential`: `X-Auth`, `X-Functions-Key`, `Ocp-Apim-Subscription-Key`, `X-AccessToken`. False
    /// for `Idempotency-Key`, for cache keys and for `Sec-WebSocket-Key`. A name that is secret in lower case is also
    /// secret with capitals: `DPoP`, like `dpop`.
    public var isSecret: Bool {
        if Self.publicKeys.contains(self) { return false }
        let name = rawValue.lowercased()
        return secretParts.contains { name.contains($0) } || words.contains(where: isSecretWord)
            || name.split(whereSeparator: { !$0.isLetter }).contains { isSecretWord(String($0)) }
    }

    private static let publicKeys: Set<Self> = [
        .idempotencyKey, "Sec-WebSocket-Key", "Surrogate-Key", "Cache-Key", "X-Cache-Key",
    ]

    /// The words of the name in lower case. A character that is not a letter separates words, and so does a capital
    /// that begins a new word: `X-ApiKey` has the words `x`, `api` and `key`, `SAMLResponse2` has `saml` and
    /// `response`.
    package var words: [String] {
        var words = [""]
        let characters = Array(rawValue)
        for (index, character) in characters.enumerated() {
            guard character.isLetter else {
                words.append("")
                continue
            }
            let last = index > 0 ? characters[index - 1] : "-"
            let next = index + 1 < characters.count ? characters[index + 1] : "-"
            if character.isUppercase, last.isLowercase || last.isUppercase && next.isLowercase { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}

/// Parts of a name that indicate a credential anywhere in the name.
private let secretParts = [
    "authoriz", "authentic", "cookie", "token", "secret", "passw", "passphrase", "passcode", "credential", "session",
    "sessid", "signature", "bearer", "assertion",
]

private let secretWords: Set<String> = [
    "auth", "oauth", "key", "keys", "pass", "pwd", "pin", "otp", "jwt", "sid", "sig", "hmac", "csrf", "xsrf", "saml",
    "dpop", "totp", "mfa", "ticket", "verification",
]

/// Words that can follow a credential in a name without capitals: `pincode`, `accesskeyid`.
private let secretEndings = ["code", "id", "value", "header"]

/// Words that can precede a credential in a name without capitals: `userpin`, `appsid`.
private let owners = ["user", "app", "client", "card", "customer", "account", "device", "my"]

/// Returns the rest of a word that begins with one of the `owners`: `pin` for `userpin`. Returns `nil` for another
/// word, and for an owner alone.
package func wordWithoutOwner(_ word: String) -> String? {
    owners.first { word.hasPrefix($0) && word.count > $0.count }.map { String(word.dropFirst($0.count)) }
}

/// Whether a word indicates a credential. Some words are compounds in lower case, such as `subscriptionkey`, `authkey`
/// and `xauth`.
private func isSecretWord(_ word: String) -> Bool {
    if let rest = wordWithoutOwner(word), isSecretWord(rest) { return true }
    for ending in secretEndings where word.hasSuffix(ending) && word.count > ending.count {
        let start = String(word.dropLast(ending.count))
        if secretWords.contains(start) || start.hasSuffix("key") { return true }
    }
    if secretWords.contains(word) || word.hasSuffix("key") || word.hasSuffix("auth") { return true }
    return word.hasPrefix("auth") && !word.hasPrefix("author")
}
