import Testing

@testable import Bilayer

@Suite("The token of several refreshes")
struct TokenStateTests {
    private func state() -> TokenState { TokenState(nil, limit: 9, period: .seconds(60)) }

    @Test(
        "of two refreshes for one version the later one counts, in whatever order they end",
        arguments: [true, false]
    )
    func theLaterRefreshCounts(isFirstFaster: Bool) throws {
        var state = state()
        let old = state.issued.version
        let first = try state.beginRefresh(at: .zero)
        let second = try state.beginRefresh(at: .zero)
        let ends = [(first, "t1"), (second, "t2")]
        for (refresh, token) in isFirstFaster ? ends : ends.reversed() {
            state.store(BearerToken(token), ofRefresh: refresh, of: old, at: .zero)
        }
        #expect(state.issued.value == "t2")
    }

    @Test func aTokenThatTheAppHasSetStays() throws {
        var state = state()
        let old = state.issued.version
        let refresh = try state.beginRefresh(at: .zero)
        state.replace(with: BearerToken("own"), at: .zero)
        state.store(BearerToken("late"), ofRefresh: refresh, of: old, at: .zero)
        #expect(state.issued.value == "own")
    }
}
