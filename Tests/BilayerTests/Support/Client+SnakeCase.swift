import Bilayer
import BilayerTesting
import Foundation

extension Client {
    /// A client of a stub whose entries have keys in snake case, and whose issues a reporter receives.
    static func snakeCased(_ stub: StubTransport, reporter: CollectingReporter) -> Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.conventions.keys = .snakeCase
        client.reporter = reporter
        return client
    }
}
