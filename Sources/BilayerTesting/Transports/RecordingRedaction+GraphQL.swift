import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns a GraphQL document without the secrets in its literal arguments and default values. `nil` if the text is
    /// not GraphQL, or has no such secret.
    func graphQL(_ text: String) -> String? {
        let start = text.utf8.drop { " \t\r\n".utf8.contains($0) }
        let beginnings = ["{", "query", "mutation", "subscription", "fragment", "#"]
        guard beginnings.contains(where: { start.starts(with: $0.utf8) }),
            let tokens = try? GraphQLLexer.tokens(of: text)
        else { return nil }
        let secrets = self.secrets(of: tokens)
        if secrets.isEmpty { return nil }
        let bytes = Array(text.utf8)
        var shown = ""
        var done = 0
        for (token, name) in secrets {
            shown += self.text(String(decoding: bytes[done..<token.place.lowerBound], as: UTF8.self))
            if token.kind == .number {
                shown += replace(Secret(text: token.text, name: name, isNumber: true))
            } else {
                shown += "\"\(replace(Secret(text: token.text[...].unescaped, name: name)))\""
            }
            done = token.place.upperBound
        }
        return shown + self.text(String(decoding: bytes[done...], as: UTF8.self))
    }

    /// Returns the literals with the name of a credential, each with its name.
    private func secrets(of tokens: [GraphQLLexer.Token]) -> [(GraphQLLexer.Token, String)] {
        var secrets: [(GraphQLLexer.Token, String)] = []
        var lastName = SecretNames.LastName()
        var next = 0
        for (index, token) in tokens.enumerated().dropLast(2) {
            guard index >= next, token.kind == .name, tokens[index + 1].isOne(of: ":") else { continue }
            var start = index + 2
            if index > 0, tokens[index - 1].isOne(of: "$") {
                // The type of a variable precedes its default value.
                let type = tokens[start...].prefix { $0.kind == .name || $0.isOne(of: "!", "[", "]") }
                guard tokens[type.endIndex].isOne(of: "="), type.endIndex + 1 < tokens.count else { continue }
                start = type.endIndex + 1
            }
            let value = tokens[start]
            if value.kind == .string { lastName.record(token.text, value.text, names) }
            let name = SecretNames.isValueOfPair(token.text) ? lastName.name ?? token.text : token.text
            let secrecy = names.secrecy(of: name)
            if secrecy == .none || secrecy == .text && value.isOne(of: "{") { continue }
            next = endOfValue(start, in: tokens)
            let isWhole = secrecy == .all || secrecy == .allButCount && next > start + 1
            secrets += tokens[start..<next].filter { $0.kind == .string || $0.kind == .number && isWhole }
                .map { ($0, name) }
        }
        return secrets
    }

    /// Returns the index of the token after a value. The value is one token, a list or an object.
    private func endOfValue(_ start: Int, in tokens: [GraphQLLexer.Token]) -> Int {
        var depth = 0
        for index in start..<tokens.count - 1 {
            if tokens[index].isOne(of: "[", "{") { depth += 1 }
            if tokens[index].isOne(of: "]", "}") { depth -= 1 }
            if depth <= 0 { return index + 1 }
        }
        return tokens.count - 1
    }
}

extension GraphQLLexer.Token {
    fileprivate func isOne(of punctuators: String...) -> Bool { kind == .punctuator && punctuators.contains(text) }
}
