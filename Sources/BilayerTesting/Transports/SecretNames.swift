import Bilayer

/// Decides which values of a recording are secret. The decision depends on the names of the values.
///
/// Header fields follow the rule of redacted descriptions (`HTTPHeaders.Name.isSecret`). The names of query items and
/// members belong to the app's data, so their rule is narrower. Such a name must be a credential word or end in one.
struct SecretNames: Sendable {
    /// Names whose values are replaced, before any other rule.
    let redacting: Set<String>
    /// Names whose values are kept, unless they are in ``redacting``.
    let keeping: Set<String>

    /// The part of a value that is secret. Booleans and `null` in JSON are never secret.
    enum Secrecy {
        /// Nothing is secret.
        case none
        /// A string, or the strings in an array, are secret. Objects are data of the app, for example a `session`
        /// object.
        case text
        /// Everything is secret except a number, which is probably a count: `max_tokens`.
        case allButCount
        /// Every string and number is secret, at every depth.
        case all
    }

    init(redacting: Set<String> = [], keeping: Set<String> = []) {
        self.redacting = redacting
        self.keeping = keeping
    }

    /// Whether the value of a header field is secret.
    func hides(field name: HTTPHeaders.Name) -> Bool {
        let text = name.rawValue
        return isListed(text, in: redacting) || name.isSecret && !isListed(text, in: keeping)
    }

    /// Returns the secret part of the value of a query item, a member or a part. The name can be nested: `pin`,
    /// `card[pin]`, `card.pin`.
    func secrecy(of name: String) -> Secrecy {
        if isListed(name, in: redacting) { return .all }
        if isListed(name, in: keeping) { return .none }
        let parts = name.split { "[].".contains($0) }.map(String.init)
        for (index, part) in parts.enumerated() {
            let inner = parts[(index + 1)...]
            let isElement = inner.allSatisfy { $0.allSatisfy(\.isNumber) }
            switch secrecy(ofPart: part) {
            case .none: continue
            case .text: if isElement { return .text }
            case .allButCount: return inner.isEmpty ? .allButCount : .all
            case .all: return .all
            }
        }
        return .none
    }

    /// Returns the secret name that a member or an attribute states for the `value` in the same object or element;
    /// otherwise `nil`. Examples are `{"name":"password","value":"…"}` and the path of a JSON patch (RFC 6902 §4).
    func nameOfPair(_ key: String, _ text: String?) -> String? {
        guard let text, ["name", "key", "field", "path"].contains(key.lowercased()), !keeps(text) else { return nil }
        let isPointer = text.hasPrefix("/")
        // A path that has a slash, but does not begin with one, is the path of a file or an address.
        if key.lowercased() == "path", !isPointer, text.contains("/") { return nil }
        let name = isPointer ? text.replacing("/", with: ".") : text
        if case .none = secrecy(of: name) { return nil }
        return name
    }

    /// In a text that is read member by member: the secret name that was stated last for a `value`
    /// (``nameOfPair(_:_:)``).
    struct LastName {
        private var key = ""
        private(set) var name: String?

        /// Records the name that a member states. A member with another key, such as a path, does not remove the
        /// recorded name.
        mutating func record(_ key: String, _ text: String, _ names: SecretNames) {
            let found = names.nameOfPair(key, text)
            if found != nil || key == self.key { (self.key, name) = (key, found) }
        }
    }

    /// Whether the key of a member is `value`, so that another member may state its name.
    static func isValueOfPair(_ key: String) -> Bool { key.lowercased() == "value" }

    /// Whether the name of an attribute is `value` or `content`, so that another attribute may state its name.
    static func isAttributeOfPair(_ key: String) -> Bool { ["value", "content"].contains(key.lowercased()) }

    /// Whether a name is in ``keeping`` and not in ``redacting``. The value of such a name is kept even inside a secret
    /// value.
    func keeps(_ name: String) -> Bool { isListed(name, in: keeping) && !isListed(name, in: redacting) }

    /// Returns the secret part of a value whose name is not nested. The words of the name are read from the last one.
    /// Words in `qualifiers` are skipped.
    private func secrecy(ofPart name: String) -> Secrecy {
        if isListed(name, in: redacting) { return .all }
        if isListed(name, in: keeping) { return .none }
        var words = HTTPHeaders.Name(rawValue: name).words.filter { !$0.isEmpty }
        while let last = words.popLast() {
            if isCredential(last, after: words.last) { return .all }
            if last == "session" || last == "pass" && words.isEmpty { return .text }
            if last.hasSuffix("s"), isCredential(String(last.dropLast()), after: words.last) { return .allButCount }
            guard qualifiers.contains(last) else { return .none }
        }
        return .none
    }

    /// Names are compared without case, like those of header fields (RFC 9110 §5.1).
    private func isListed(_ name: String, in names: Set<String>) -> Bool {
        !names.isEmpty && names.contains { $0.lowercased() == name.lowercased() }
    }
}

/// Whether a word is a credential, alone or together with the word before it: `pass_word`. A word without separators
/// can end in a credential: `accesstoken`, `jsessionid`.
private func isCredential(_ word: String, after previous: String?) -> Bool {
    if credentialWords.contains(word) || word.hasSuffix("auth") { return true }
    if credentialEndings.contains(where: { word.hasSuffix($0) }) { return true }
    if let previous, credentialEndings.contains(previous + word) { return true }
    if let rest = wordWithoutOwner(word), credentialWords.contains(rest) { return true }
    if word == "key", let previous, isCredential(previous, after: nil) { return true }
    func isPair(_ first: String, _ second: String) -> Bool {
        word == second && previous == first || word.hasSuffix(first + second)
    }
    return keys.contains { isPair($0, "key") } || credentialPairs.contains { isPair($0.0, $0.1) }
}

private let credentialWords: Set<String> = [
    "pwd", "pw", "pin", "otp", "totp", "mfa", "jwt", "sid", "sig", "hmac", "csrf", "xsrf", "saml", "dpop", "assertion",
    "authentication",
]

private let credentialEndings = [
    "token", "secret", "password", "passwort", "passwd", "passphrase", "passcode", "cookie", "credential",
    "authorization", "signature", "bearer", "sessid",
]

/// Words that make a credential together with a following `key`.
private let keys: [String] = [
    "api", "app", "access", "secret", "private", "auth", "subscription", "function", "functions", "signing",
    "encryption", "shared", "master", "session", "consumer", "license", "account", "service", "server", "client",
    "admin", "webhook", "deploy", "ssh", "recovery", "security", "encrypted", "symmetric", "aes", "rsa",
]

private let credentialPairs: [(String, String)] = [
    ("session", "id"), ("session", "uuid"), ("session", "guid"), ("security", "code"), ("verification", "code"),
    ("login", "code"), ("recovery", "code"),
    ("backup", "code"), ("factor", "code"), ("code", "verifier"), ("saml", "response"), ("saml", "request"),
    ("auth", "code"), ("user", "pass"), ("db", "pass"), ("old", "pass"), ("new", "pass"), ("login", "pass"),
]

/// Words that can follow a credential word. The whole name is still the name of a credential: `password_confirmation`,
/// `pin_code`.
private let qualifiers: Set<String> = [
    "value", "hash", "digest", "confirmation", "confirm", "confirmed", "repeat", "repeated", "again", "old", "new",
    "current", "code", "string", "header", "raw", "plain", "encoded", "base", "salt", "data", "payload", "v",
]
