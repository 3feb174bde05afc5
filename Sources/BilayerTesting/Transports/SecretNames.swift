import Bilayer

/// Decides which values of a recording are secret, by their names.
///
/// For header fields the rule is that of descriptions (`HTTPHeaders.Name.isSecret`). Names of query items and members
/// belong to the app's data, so their rule is narrower: the name is a credential word, or ends in one.
struct SecretNames: Sendable {
    /// Names whose values are replaced, whatever the rules say.
    let redacting: Set<String>
    /// Names whose values are kept, whatever the rules say.
    let keeping: Set<String>

    /// The part of a name's value that is secret.
    enum Secrecy {
        case none
        /// A text that is the value or an element of it. Objects are the app's data: `session`.
        case text
        /// Everything, but a number that is the value itself is a count: `max_tokens`.
        case allButCount
        case all
    }

    init(redacting: Set<String> = [], keeping: Set<String> = []) {
        self.redacting = redacting
        self.keeping = keeping
    }

    /// Whether values of a header field are secret.
    func hides(field name: HTTPHeaders.Name) -> Bool {
        let text = name.rawValue
        return isListed(text, in: redacting) || name.isSecret && !isListed(text, in: keeping)
    }

    /// The secret part of the value of a query item, a member or a part: `pin`, and `card[pin]` or `card.pin`.
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

    /// Whether a name is one of those that stay inside of a secret value, too.
    func keeps(_ name: String) -> Bool { isListed(name, in: keeping) && !isListed(name, in: redacting) }

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

    /// Names have no case here, as those of header fields (RFC 9110 §5.1).
    private func isListed(_ name: String, in names: Set<String>) -> Bool {
        !names.isEmpty && names.contains { $0.lowercased() == name.lowercased() }
    }
}

/// Whether a word is a credential, alone or with the word before it: `pass_word`. Names without separators end in one:
/// `accesstoken`, `jsessionid`.
private func isCredential(_ word: String, after previous: String?) -> Bool {
    if credentialWords.contains(word) || word.hasSuffix("auth") { return true }
    if credentialEndings.contains(where: { word.hasSuffix($0) }) { return true }
    if let previous, credentialEndings.contains(previous + word) { return true }
    if word == "key", let previous, isCredential(previous, after: nil) { return true }
    func isPair(_ first: String, _ second: String) -> Bool {
        word == second && previous == first || word.hasSuffix(first + second)
    }
    return keys.contains { isPair($0, "key") } || credentialPairs.contains { isPair($0.0, $0.1) }
}

private let credentialWords: Set<String> = [
    "pwd", "pin", "otp", "totp", "mfa", "jwt", "sid", "sig", "hmac", "csrf", "xsrf", "saml", "dpop", "assertion",
    "authentication",
]

private let credentialEndings = [
    "token", "secret", "password", "passwort", "passwd", "passphrase", "passcode", "cookie", "credential",
    "authorization", "signature", "bearer", "sessid",
]

/// Words before `key` that make it a credential.
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

/// Words behind a credential that leave it one: `password_confirmation`, `pin_code`.
private let qualifiers: Set<String> = [
    "value", "hash", "digest", "confirmation", "confirm", "confirmed", "repeat", "repeated", "again", "old", "new",
    "current", "code", "string", "header", "raw", "plain", "encoded", "base", "salt", "data", "payload", "v",
]
