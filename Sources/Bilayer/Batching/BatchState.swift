/// The batches of a loader that wait for further ids or are being loaded.
struct BatchState<ID: Hashable & Sendable, Value: Sendable> {
    typealias Continuation = CheckedContinuation<Value, any Error>

    struct Batch {
        /// Waits for the end of the window, then loads the batch. The task of a full batch only loads it.
        var task: Task<Void, Never>
        /// The different ids that the callers request, in the order of the requests.
        var ids: [ID] = []
        /// The waiting callers, by their numbers.
        var waiters: [Int: (id: ID, continuation: Continuation)] = [:]
    }

    var batches: [Int: Batch] = [:]
    /// The number of the batch that accepts further ids.
    private var open: Int?
    /// The number of the batch that a caller waits for, by the number of the caller.
    private var batchOf: [Int: Int] = [:]
    private var lastNumber = 0

    /// Returns a new number, for a batch or for a waiting caller. No other batch or caller of the loader has it.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Returns the number of the open batch, or opens a new batch.
    /// - Parameter begin: Receives the number of a new batch, and starts the task that loads it.
    /// - Returns: The number of the batch.
    mutating func openBatch(_ begin: (Int) -> Task<Void, Never>) -> Int {
        if let open { return open }
        let number = makeNumber()
        batches[number] = Batch(task: begin(number))
        open = number
        return number
    }

    /// Adds a waiting caller and its id to a batch.
    /// - Returns: The number of different ids in the batch.
    mutating func add(_ continuation: Continuation, _ waiter: Int, _ id: ID, to number: Int) -> Int {
        batchOf[waiter] = number
        batches[number]?.waiters[waiter] = (id, continuation)
        if batches[number]?.ids.contains(id) == false { batches[number]?.ids.append(id) }
        return batches[number]?.ids.count ?? 0
    }

    /// Closes a batch, so that it accepts no further ids.
    /// - Returns: The ids of the batch; `nil` if the batch is not open.
    mutating func start(_ number: Int) -> [ID]? {
        guard open == number else { return nil }
        open = nil
        return batches[number]?.ids
    }

    /// Removes a waiting caller from its batch.
    /// - Returns: The continuation of the caller, and the task of the batch if no other caller waits for the batch.
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
    /// - Returns: The callers that wait for the batch.
    mutating func end(_ number: Int) -> [(id: ID, continuation: Continuation)] {
        guard let batch = batches.removeValue(forKey: number) else { return [] }
        for waiter in batch.waiters.keys { batchOf[waiter] = nil }
        return Array(batch.waiters.values)
    }
}
