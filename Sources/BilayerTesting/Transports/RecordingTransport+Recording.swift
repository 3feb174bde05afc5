import Bilayer
import Foundation

extension RecordingTransport {
    /// Returns the recorded exchanges that have a response, without their secrets. They are sorted by method, path and
    /// query.
    /// - Parameters:
    ///   - redacting: Additional names of header fields, query items, members and other places whose values are
    ///     replaced. Booleans and `null` are kept in JSON.
    ///   - keeping: Names whose values are kept although they look like credentials, for example the `pin` of a map. A
    ///     name in both lists is replaced.
    /// - Returns: The recording, which can be written to a file.
    public func recording(redacting: Set<String> = [], keeping: Set<String> = []) -> Recording {
        let names = SecretNames(redacting: redacting, keeping: keeping)
        var placeholders = Placeholders()
        let redaction = RecordingRedaction(names) { placeholders.placeholder(for: $0) }
        let answered = exchanges.compactMap { exchange in
            (try? exchange.result.get()).map { (exchange, request: names.key(of: exchange.request), response: $0) }
        }
        // Sorts before counting the placeholders, so that equal exchanges have equal placeholders in each run.
        let sorted = answered.enumerated()
            .sorted { ($0.element.request.key.text, $0.offset) < ($1.element.request.key.text, $1.offset) }
        let redacted = sorted.map { _, answered in
            let (exchange, request, response) = answered
            return Recording.Exchange(
                request.key,
                request.secrets.map { redaction.replace($0) },
                redaction.redacted(response),
                response.url.flatMap { $0 == exchange.request.url ? nil : redaction.place(of: $0) },
                exchange.cut
            )
        }
        return Recording(exchanges: redacted, names: names, redactedNames: placeholders.names.sorted())
    }
}

extension SecretNames {
    /// Returns the key of a request, and its secrets. In the key, `redacted` replaces each secret text, and 0 each
    /// secret number.
    func key(of request: HTTPRequest) -> (key: Recording.RequestKey, secrets: [RecordingRedaction.Secret]) {
        var secrets: [RecordingRedaction.Secret] = []
        let redaction = RecordingRedaction(self) { secret in
            secrets.append(secret)
            return secret.isNumber ? "0" : "redacted"
        }
        let key = redaction.key(of: request)
        return (key, secrets)
    }

    /// Returns the secrets of a response. In a recorded response, they are placeholders.
    func secrets(in response: HTTPResponse) -> Set<String> {
        var secrets: Set<String> = []
        let redaction = RecordingRedaction(self) { secret in
            secrets.insert(secret.text)
            return secret.isNumber ? "0" : "redacted"
        }
        _ = redaction.redacted(response)
        return secrets
    }
}

extension Recording.Exchange {
    fileprivate init(
        _ request: Recording.RequestKey,
        _ secrets: [String],
        _ response: HTTPResponse,
        _ place: Recording.Place?,
        _ cut: Recording.Cut?
    ) {
        self.init(
            request: request,
            secrets: secrets,
            status: response.status.code,
            headers: response.headers.map { Recording.Field(name: "\($0.name)", value: $0.value) },
            body: response.body,
            place: place,
            cut: cut
        )
    }
}
