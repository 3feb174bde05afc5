#if os(Linux)
import Bilayer
import BilayerTesting
import Foundation
import Testing

/// If the settings name no file of authorities, those of the system are trusted. The tests have no key with a
/// certificate from one of these. So this program is started again, with mounts of its own (`unshare`) and another file
/// in place of the system's.
@Suite(
    "CurlTransport: the system's authorities",
    .timeLimit(.minutes(5)),
    .enabled(if: SystemAuthorities.canBeReplaced, "the file of the system's authorities cannot be replaced here")
)
struct CurlSystemAuthoritiesTests {
    @Test func areTrusted() async throws {
        let server = try await FaultServer.start(certificate: ServerCertificate())
        server.on(.get, "/", .text("secure"))
        let file = try #require(server.authorityFile)
        #expect(try SystemAuthorities.answer(of: server.url, ifTheyAre: file).contains("found 200"))
        let refused = try SystemAuthorities.answer(of: server.url, ifTheyAre: SystemAuthorities.path)
        #expect(refused.contains("found secure connection failed"))
        #expect(server.requests.count == 1)
    }
}

/// The part that runs in the other process.
@Suite(.enabled(if: SystemAuthorities.address != nil)) struct SystemAuthoritiesChild {
    @Test func sendsARequest() async throws {
        let address = try #require(SystemAuthorities.address.flatMap { URL(string: $0) })
        do {
            print("found \(try await CurlTransport().process(HTTPRequest(url: address)).status.code)")
        } catch let error as TransportError {
            print("found \(error.kind)")
        }
    }
}

/// The file that Debian's libcurl reads.
private enum SystemAuthorities {
    static let path = "/etc/ssl/certs/ca-certificates.crt"
    static let address = ProcessInfo.processInfo.environment["BILAYER_SYSTEM_AUTHORITIES_URL"]

    static let canBeReplaced: Bool = {
        // This variable is set for runs with another libcurl, whose authorities may be elsewhere.
        if ProcessInfo.processInfo.environment["BILAYER_TRANSPORTS"] != nil { return false }
        guard FileManager.default.fileExists(atPath: path) else { return false }
        return (try? ChildProcess.run(unshared("true")).status) == 0
    }()

    /// The output of a process that requests an address, with this file in place of the system's.
    static func answer(of address: URL, ifTheyAre file: String) throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let script = """
            mount --bind "\(file)" "\(path)"
            BILAYER_SYSTEM_AUTHORITIES_URL=\(address) \
            exec "\(program)" --testing-library swift-testing --filter SystemAuthoritiesChild
            """
        return String(decoding: try ChildProcess.run(unshared(script), joiningErrors: true).output, as: UTF8.self)
    }

    private static func unshared(_ script: String) -> [String] {
        ["/usr/bin/unshare", "--mount", "--map-root-user", "/bin/sh", "-c", script]
    }
}
#endif
