import Bilayer
import BilayerTesting
import Foundation

extension Client {
    /// A client that calls a stub. Keys are in snake case, and the reporter receives the issues.
    static func snakeCased(_ stub: StubTransport, reporter: CollectingReporter) -> Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.conventions.keys = .snakeCase
        client.reporter = reporter
        return client
    }
}

extension CodingConventions {
    /// Keys in snake case, and dates by RFC 3339.
    static var snakeCaseAndRFC3339: CodingConventions {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        conventions.scalars.register(Date.self, as: .rfc3339)
        return conventions
    }
}
