import Bilayer
import Testing

@Suite struct DefaultTransportTests {
    /// On Linux the default is `CurlTransport`, which is not worse in any row of the conformance suite.
    @Test func isTheOneOfThePlatform() {
        #if os(Linux)
        #expect(DefaultTransport().description.hasPrefix("CurlTransport"))
        #else
        #expect(DefaultTransport().description.hasPrefix("URLSessionTransport"))
        #endif
    }
}
