import Bilayer
import Testing

@Suite struct DefaultTransportTests {
    /// On Linux the default is `CurlTransport`. In no row of the conformance suite is it worse than
    /// `URLSessionTransport`.
    @Test func isTheOneOfThePlatform() {
        #if os(Linux)
        #expect(DefaultTransport().description.hasPrefix("CurlTransport"))
        #else
        #expect(DefaultTransport().description.hasPrefix("URLSessionTransport"))
        #endif
    }
}
