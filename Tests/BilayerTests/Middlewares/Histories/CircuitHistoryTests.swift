import Testing

@testable import Bilayer

/// Random histories of a circuit against a model: the rules as its documentation states them.
@Suite("Random histories: circuit breaker")
struct CircuitHistoryTests {
    @Test(arguments: Seeds.some(100)) func aCircuitFollowsTheRules(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let limit = 1 + random.next(below: 4)
        var circuit = Circuit(failureLimit: limit, pause: .seconds(10))
        var model = CircuitModel(limit: limit)
        var inFlight: [(permission: Circuit.Permission, stretch: CircuitModel.Stretch)] = []
        var now = 0
        for step in 0..<300 {
            switch random.next(below: 5) {
            case 0: now += random.next(below: 7)
            case 1, 2:
                let permission = circuit.permission(at: .seconds(now))
                let expected = model.begin(at: now)
                #expect(Expected(permission) == expected.answer, "seed \(seed), step \(step)")
                if let stretch = expected.stretch { inFlight.append((permission, stretch)) }
            default:
                guard !inFlight.isEmpty else { continue }
                let request = inFlight.remove(at: random.next(below: inFlight.count))
                let outcome: Bool? = [true, false, false, nil][random.next(below: 4)]
                circuit.record(outcome, of: request.permission, at: .seconds(now))
                model.end(request.stretch, outcome, at: now)
            }
        }
    }
}

private enum Expected: Equatable {
    case sent
    case probe
    case refused(Duration)

    init(_ permission: Circuit.Permission) {
        self =
            switch permission {
            case .allowed: .sent
            case .probe: .probe
            case .refused(let remaining): .refused(remaining)
            }
    }
}

/// A history is a row of stretches, in each of which the circuit is closed, open or half open. A request belongs to the
/// stretch in which it was sent, and its outcome matters only in that stretch.
private struct CircuitModel {
    final class Stretch {
        enum Kind {
            case closed
            case open(until: Int)
            case halfOpen
        }
        let kind: Kind
        var failuresInARow = 0
        init(_ kind: Kind) { self.kind = kind }
    }

    let limit: Int
    private var stretches = [Stretch(.closed)]

    init(limit: Int) { self.limit = limit }

    mutating func begin(at now: Int) -> (answer: Expected, stretch: Stretch?) {
        let last = stretches[stretches.count - 1]
        switch last.kind {
        case .closed: return (.sent, last)
        case .halfOpen: return (.refused(.zero), nil)
        case .open(let until) where now < until: return (.refused(.seconds(until - now)), nil)
        case .open:
            stretches.append(Stretch(.halfOpen))
            return (.probe, stretches.last)
        }
    }

    mutating func end(_ stretch: Stretch, _ outcome: Bool?, at now: Int) {
        guard stretch === stretches.last else { return }
        if outcome == false { stretch.failuresInARow += 1 }
        if outcome == true { stretch.failuresInARow = 0 }
        switch (stretch.kind, outcome) {
        case (.halfOpen, true?): stretches.append(Stretch(.closed))
        case (.halfOpen, nil): stretches.append(Stretch(.open(until: now)))
        case (.halfOpen, false?): stretches.append(Stretch(.open(until: now + 10)))
        case (.closed, _) where stretch.failuresInARow == limit: stretches.append(Stretch(.open(until: now + 10)))
        default: break
        }
    }
}
