import Testing

@testable import Bilayer

@Suite("The token of a session")
struct TokenStateTests {
    @Test func aTokenThatTheAppHasSetStays() {
        var state = TokenState(nil, limit: 9, period: .seconds(60))
        let old = state.issued.version
        state.replace(with: BearerToken("own"), at: .zero)
        state.store(BearerToken("late"), ofRefreshOf: old, at: .zero)
        #expect(state.issued.value == "own")
    }

    @Test func changesWaitUntilTheyAreTold() {
        var state = TokenState(BearerToken("kept"), limit: 9, period: .seconds(60), tellsChanges: true)
        #expect(state.nextChange(isFirst: true) == nil as BearerToken??)
        state.replace(with: BearerToken("a"), at: .zero)
        state.replace(with: nil, at: .zero)
        #expect(state.nextChange(isFirst: true) == .some(BearerToken("a")))
        // Meanwhile another caller gets no change for `onChange`.
        #expect(state.nextChange(isFirst: true) == nil as BearerToken??)
        #expect(state.nextChange(isFirst: false) == .some(nil))
        #expect(state.nextChange(isFirst: false) == nil as BearerToken??)
    }
}
