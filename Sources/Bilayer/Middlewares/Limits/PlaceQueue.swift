/// Who has a place, and who waits for one. The most urgent one is next, and of equally urgent ones the first.
///
/// After four that were passed over one that came earlier, the one that waits longest is next, so nobody waits for ever.
struct PlaceQueue<Waiter> {
    private struct Waiting {
        let id: Int
        let priority: CallPriority
        let waiter: Waiter
    }

    private let places: Int
    private var taken = 0
    private var waiting: [Waiting] = []
    private var overtakings = 0

    init(places: Int) { self.places = max(places, 1) }

    /// Whether nobody has a place, and nobody waits.
    var isIdle: Bool { taken == 0 && waiting.isEmpty }

    /// Takes a place if one is free.
    mutating func take() -> Bool {
        guard taken < places else { return false }
        taken += 1
        return true
    }

    mutating func wait(_ waiter: Waiter, id: Int, priority: CallPriority) {
        waiting.append(Waiting(id: id, priority: priority, waiter: waiter))
    }

    mutating func leave(_ id: Int) -> Waiter? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).waiter }
    }

    /// Gives a place back.
    /// - Returns: Who has it now; `nil` if nobody waits.
    mutating func release() -> Waiter? {
        guard let first = waiting.first else {
            taken -= 1
            return nil
        }
        let urgent = waiting.indices.max {
            waiting[$0].priority < waiting[$1].priority || $0 > $1 && waiting[$0].priority == waiting[$1].priority
        }
        let next = overtakings < 4 ? urgent ?? 0 : 0
        overtakings = waiting[next].id == first.id ? 0 : overtakings + 1
        return waiting.remove(at: next).waiter
    }
}
