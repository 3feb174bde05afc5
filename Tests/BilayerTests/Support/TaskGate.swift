/// Holds tasks until the gate is opened. Then it stays open. Counts the tasks that arrive.
actor TaskGate {
    private(set) var arrivals = 0
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var countWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func arrive() -> Int {
        arrivals += 1
        for waiter in countWaiters where waiter.count <= arrivals { waiter.continuation.resume() }
        countWaiters.removeAll { $0.count <= arrivals }
        return arrivals
    }

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func waitForArrivals(_ count: Int) async {
        if arrivals >= count { return }
        await withCheckedContinuation { countWaiters.append((count, $0)) }
    }
}
