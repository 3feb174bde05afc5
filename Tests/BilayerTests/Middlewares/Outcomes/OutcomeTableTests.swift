import Bilayer
import BilayerTesting
import Foundation
import Testing

/// What a call ends with, for each fault, whatever is around the transport. The article "Surviving the network" has
/// these outcomes as a table, "What a fault ends with".
@Suite("The outcome table: fault × middleware × transport", .timeLimit(.minutes(5)))
struct OutcomeTableTests {
    static let rows =
        (OutcomeRow.heads + OutcomeRow.bodies + OutcomeRow.uploads + OutcomeRow.answers)
        + OutcomeRow.redirects

    @Test(arguments: rows, BuiltInTransport.allCases)
    func everyFaultHasOneOutcome(of row: OutcomeRow, over choice: BuiltInTransport) async throws {
        guard row.isSafe(for: choice) else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for stack in OutcomeStack.allCases {
                group.addTask {
                    let server = try await FaultServer.start(certificate: row.certificate)
                    let other = try await FaultServer.start()
                    row.script(server, other)
                    let transport = stack.around(try choice.transport(maximumResponseBytes: 10_000))
                    let found = try await OutcomeRow.outcome { try await transport.process(row.request(to: server)) }
                    #expect(
                        row.isExpected(found, over: choice),
                        "\(stack): found \(found), expected \(row.expected(over: choice))"
                    )
                    let attempts = stack == .retry && row.isRetried ? 2 : 1
                    #expect(row.arrived(at: server) == attempts * row.requests, "\(stack)")
                }
            }
            try await group.waitForAll()
        }
    }

    static let faultsThatPass = rows.filter { row in
        if case .upload = row.place { false } else { row.isRetried }
    }

    @Test(arguments: faultsThatPass, BuiltInTransport.allCases)
    func aRetryFindsTheAnswerAfterAFault(of row: OutcomeRow, over choice: BuiltInTransport) async throws {
        guard row.isSafe(for: choice) else { return }
        let server = try await FaultServer.start()
        row.script(server, server, isOnce: true)
        let transport = OutcomeStack.retry.around(try choice.transport())
        #expect(try await transport.process(row.request(to: server)).body == Data("[]".utf8))
        #expect(row.arrived(at: server) == 2)
    }

    @Test func everyRowHasItsOwnName() { #expect(Set(Self.rows.map(\.fault)).count == Self.rows.count) }
}
