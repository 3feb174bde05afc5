/// The batches of a loader that wait or are being loaded.
struct BatchState<ID: Hashable & Sendable, Value: Sendable> {
    typealias Continuation = CheckedContinuation<Value, any Error>

    struct Batch {
        var task: Task<Void, Never>
        var ids: [ID] = []
        var waiters: [Int: (id: ID, continuation: Continuation)] = [:]
    }

    var batches: [Int: Batch] = [:]
    /// The batch that takes further ids.
    private var open: Int?
    private var batchOf: [Int: Int] = [:]
    private var lastNumber = 0

    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// The open batch, or a new one.
    mutating func openBatch(_ begin: (Int) -> Task<Void, Never>) -> Int {
        if let open { return open }
        let number = makeNumber()
        batches[number] = Batch(task: begin(number))
        open = number
        return number
    }

    /// Adds a waiter.
    /// - Returns: The number of different ids.
    mutating func add(_ continuation: Continuation, _ waiter: Int, _ id: ID, to number: Int) -> Int {
        batchOf[waiter] = number
        batches[number]?.waiters[waiter] = (id, continuation)
        if batches[number]?.ids.contains(id) == false { batches[number]?.ids.append(id) }
        return batches[number]?.ids.count ?? 0
    }

    /// Closes the open batch.
    /// - Returns: Its ids; `nil` if it is not open any more.
    mutating func start(_ number: Int) -> [ID]? {
        guard open == number else { return nil }
        open = nil
        return batches[number]?.ids
    }

    /// Removes a waiter.
    /// - Returns: Its continuation, and the task of the batch if no caller waits for it any more.
    mutating func leave(_ waiter: Int) -> (Continuation?, Task<Void, Never>?) {
        guard let number = batchOf.removeValue(forKey: waiter),
            let left = batches[number]?.waiters.removeValue(forKey: waiter)
        else { return (nil, nil) }
        if batches[number]?.waiters.isEmpty == true {
            if open == number { open = nil }
            return (left.continuation, batches.removeValue(forKey: number)?.task)
        }
        // No other caller requests the id, so the batch need not load it.
        if open == number, batches[number]?.waiters.values.contains(where: { $0.id == left.id }) == false {
            batches[number]?.ids.removeAll { $0 == left.id }
        }
        return (left.continuation, nil)
    }

    /// Removes a batch.
    /// - Returns: Its waiters.
    mutating func end(_ number: Int) -> [(id: ID, continuation: Continuation)] {
        guard let batch = batches.removeValue(forKey: number) else { return [] }
        for waiter in batch.waiters.keys { batchOf[waiter] = nil }
        return Array(batch.waiters.values)
    }
}
