#if os(Linux)
import Foundation
import Testing

@Suite("Where nginx is required, its tests fail without it")
struct NginxRequirementTests {
    @Test(arguments: [
        (nil, true, true), (nil, false, false), ("nginx", false, true), ("nginx,other", false, true),
        ("other", false, false), ("other", true, true),
    ])
    func itsTestsRun(peers: String?, isInstalled: Bool, isExpected: Bool) {
        let environment = peers.map { ["BILAYER_PEERS": $0] } ?? [:]
        #expect(NginxServer.isExpected(by: environment, ifInstalled: isInstalled) == isExpected)
    }

    @Test func allChecksOfAChangeRequireIt() throws {
        let checks = try String(contentsOf: Compiler.repository.appending(path: ".ci/run"), encoding: .utf8)
        #expect(checks.split(separator: "\n").contains("export BILAYER_PEERS=nginx"))
    }
}
#endif
