import Testing

@testable import Bilayer

@Suite("The issues of a mapping in progress, and marks between them")
struct IssueLogTests {
    private func log(limit: Int) -> IssueLog {
        var policy = MappingPolicy.salvaging
        policy.issueLimit = limit
        return IssueLog(policy: policy)
    }

    private func issue(_ key: String, _ kind: MappingIssue.Kind = .unknownCase) -> MappingIssue {
        MappingIssue(kind, severity: .warning, path: [.key(key)])
    }

    @Test("what is removed since a mark makes room again, and later marks are right")
    func roomAfterRemoval() {
        let log = log(limit: 2)
        for key in ["a", "b", "c"] { log.add(issue(key)) }
        #expect(log.remove(since: .start) { $0.path == [.key("a")] }.count == 1)
        let later = log.mark
        log.add(issue("d"))
        #expect(log.hasAdditions(since: later))
        log.rewrite(since: later) { $0.prefix(by: [.key("in")]) }
        let (issues, omitted) = log.takeIssues()
        #expect(issues.map(\.path.description) == ["$.b", "$.in.d"])
        #expect(omitted == 1)
    }

    private func error(_ key: String) -> MappingError { MappingError(MappingIssue(.missing, path: [.key(key)])) }

    @Test("what is set aside takes no room, follows its value's path, and comes back with its error, in its place")
    func aside() {
        let log = log(limit: 2)
        let start = log.mark
        for key in ["a", "b", "c"] { log.add(issue(key)) }
        log.addLoss(of: [1], at: [.key("list")])
        log.setAside(since: start, failedBy: error("x"))
        log.prefix(since: start, by: .key("in"))
        #expect(!log.hasWarnings(since: start) && log.hasAdditions(since: start))
        log.add(issue("d"))
        log.settleAside(since: start, after: error("x").prefixed(by: [.key("in")]))
        #expect(log.takeLosses().map(\.localPath) == [[.key("in"), .key("list")]])
        let (issues, omitted) = log.takeIssues()
        #expect(issues.map(\.path.description) == ["$.in.a", "$.in.b", "$.d"] && omitted == 1)
    }

    @Test("what is set aside is gone with another error, without one, and with what is removed around it")
    func asideAndGone() {
        let log = log(limit: 10)
        let start = log.mark
        for outcome in [error("y"), nil] {
            log.add(issue("a"))
            log.setAside(since: start, failedBy: error("x"))
            log.settleAside(since: start, after: outcome)
            #expect(log.mark == start)
            log.settleAside(since: start, after: error("x"))
            #expect(log.mark == start)
        }
        log.add(issue("a"))
        log.setAside(since: start, failedBy: error("x"))
        log.remove(since: start)
        #expect(log.mark == start)
    }

    @Test("the last of equal errors counts, and of many only the last are remembered", arguments: [1, 31, 32, 100])
    func asideOften(count: Int) {
        let log = log(limit: 10)
        let start = log.mark
        for number in 0..<count {
            let mark = log.mark
            log.add(issue("a\(number)"))
            log.setAside(since: mark, failedBy: error("x"))
        }
        let middle = log.mark
        log.add(issue("b"))
        log.setAside(since: middle, failedBy: error("y"))
        log.settleAside(since: middle)
        #expect(log.mark == middle)
        log.setAside(since: middle, failedBy: error("z"))
        log.settleAside(since: start, after: error("x"))
        #expect(log.takeIssues().issues.map(\.path.description) == ["$.a\(count - 1)"])
    }

    @Test("the first of many parts is remembered, too")
    func asideFirst() {
        let log = log(limit: 10)
        for number in 0..<100 {
            let mark = log.mark
            log.add(issue("a\(number)"))
            log.setAside(since: mark, failedBy: error("x\(number)"))
        }
        log.settleAside(since: .start, after: error("x0"))
        #expect(log.takeIssues().issues.map(\.path.description) == ["$.a0"])
    }

    @Test("a value that reports nothing and fails with an equal error replaces the earlier one")
    func asideReplaced() {
        let log = log(limit: 10)
        log.add(issue("a"))
        log.setAside(since: .start, failedBy: error("x"))
        log.setAside(since: log.mark, failedBy: error("x"))
        log.settleAside(since: .start, after: error("x"))
        #expect(log.mark == .start)
    }

    @Test("a cancel is no other error")
    func asideByCancel() {
        let log = log(limit: 10)
        log.add(issue("a"))
        log.setAside(since: .start, failedBy: CancellationError())
        let end = log.mark
        log.add(issue("b"))
        log.setAside(since: end, failedBy: error("x"))
        log.settleAside(since: .start, after: CancellationError())
        #expect(log.takeIssues().issues.map(\.path.description) == ["$.a"])
    }

    @Test("a part with room of its own keeps what was set aside before it and in it")
    func asideApart() {
        let log = log(limit: 1)
        IssueLog.with(log) {
            log.add(issue("a"))
            log.setAside(since: .start, failedBy: error("x"))
            log.add(issue("before"))
            let mark = log.mark
            #expect(throws: MappingError.self) {
                try IssueLog.apart {
                    let inner = log.mark
                    log.add(issue("b"))
                    log.setAside(since: inner, failedBy: error("y"))
                    throw error("y")
                }
            }
            log.settleAside(since: mark, after: error("y"))
            #expect(log.takeIssues().issues.map(\.path.description) == ["$.before", "$.b"])
        }
    }

    @Test("a warning that is only counted is no loss, a value left out is one", arguments: [0, 1, 2])
    func lossesBeyondTheLimit(kept: Int) {
        let log = log(limit: 1)
        for _ in 0..<kept { log.add(issue("a", .dropped)) }
        let mark = log.mark
        log.add(issue("b"))
        log.add(issue("c"))
        #expect(!log.hasDropped(since: mark))
        log.add(issue("d", .dropped))
        #expect(log.hasDropped(since: mark))
        log.remove(since: mark)
        #expect(!log.hasDropped(since: mark) && log.mark == mark)
        log.countDropped()
        let cut = log.take(since: mark)
        #expect(!log.hasDropped(since: mark) && log.mark == mark)
        log.add(cut)
        #expect(log.hasDropped(since: mark) && log.takeIssues().omitted == max(0, kept - 1) + 1)
    }

    /// If each list searched all losses, this test would run for minutes.
    @Test("each of many lists that lose an element gets its path, and none that of another")
    func manyLosses() {
        let log = log(limit: 1)
        let count = 60_000
        for index in 0..<count {
            let mark = log.mark
            log.countDropped()
            log.addLoss(of: [index], at: .root)
            log.prefix(since: mark, by: .index(index))
            let unused = log.mark
            log.countDropped()
            log.addLoss(of: [0], at: .root)
            log.remove(since: unused)
        }
        let losses = log.takeLosses()
        #expect(losses.count == count)
        #expect(losses.allSatisfy { $0.localPath.components == $0.indices.map { .index($0) } })
    }

    @Test("the index before a loss is found among the elements that are left", arguments: 1...4)
    func originalIndices(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let lost = (0..<40).filter { _ in random.next(below: 3) == 0 }
        let left = (0..<60).filter { !lost.contains($0) }
        var numbering = ElementNumbering()
        numbering.add([IssueLog.Loss(of: lost, at: [.key("xs")])], after: numbering)
        #expect(left.indices.map { numbering.originalIndex($0, in: [.key("xs")]) } == left)
        #expect(numbering.originalIndex(5, in: [.key("ys")]) == 5)
    }
}
