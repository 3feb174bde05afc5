import Foundation

@testable import Bilayer

/// A store that stops where a test tells it, and records its changes in order.
actor PausingStore: HTTPCacheStore {
    /// Where an operation stops: before or after its effect.
    enum Moment: Sendable {
        case afterReading, beforeReplacing, afterReplacing, beforeRemoving, afterRemoving
    }

    private(set) var log: [String] = []
    private(set) var readings = 0
    private var stored: [HTTPCacheKey: [HTTPCacheEntry]] = [:]
    private var moment: Moment?
    private var passes = 0
    private var stopped: CheckedContinuation<Void, Never>?
    private var observer: CheckedContinuation<Void, Never>?

    var isEmpty: Bool { stored.values.allSatisfy(\.isEmpty) }

    /// The bodies of the stored responses.
    var bodies: Set<String> {
        Set(stored.values.joined().map { String(decoding: $0.response.body, as: UTF8.self) })
    }

    /// Stops one operation; those before it pass.
    func pause(at moment: Moment, after passes: Int = 0) { (self.moment, self.passes) = (moment, passes) }

    func waitUntilPaused() async {
        if stopped == nil { await withCheckedContinuation { observer = $0 } }
    }

    func goOn() {
        stopped?.resume()
        stopped = nil
    }

    func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] {
        let found = stored[key] ?? []
        readings += 1
        await reach(.afterReading)
        return found
    }

    func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async {
        await reach(.beforeReplacing)
        stored[key] = entries
        log.append("\(entries.count) stored")
        await reach(.afterReplacing)
    }

    func removeAll() async {
        await reach(.beforeRemoving)
        stored = [:]
        log.append("all removed")
        await reach(.afterRemoving)
    }

    private func reach(_ moment: Moment) async {
        guard moment == self.moment else { return }
        passes -= 1
        guard passes < 0 else { return }
        self.moment = nil
        await withCheckedContinuation {
            stopped = $0
            observer?.resume()
            observer = nil
        }
    }
}
