#if canImport(Combine)
import Bilayer
import BilayerTesting
import Combine
import Foundation
import Testing

@Suite("Combine publisher of a call")
struct CallPublisherTests {
    private let publisher = Client(baseURL: URL("https://api.example.com"), transport: StubTransport(.json("[1]")))
        .publisher(for: .health)

    @Test func aSubscriberReceivesOneValueAndTheCompletion() async throws {
        var values: [Json] = []
        for try await value in publisher.values { values.append(value) }
        #expect(values == [[1]])
    }

    @Test func anOperatorThatCancelsWithinTheValueIsNotGivenASecondCompletion() async throws {
        var values: [Json] = []
        for try await value in publisher.first().zip(publisher.flatMap { Just($0) }.first()).map(\.0).values {
            values.append(value)
        }
        #expect(values == [[1]])
    }
}
#endif
