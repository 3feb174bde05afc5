import Bilayer
import BilayerTesting
import Foundation

/// The reports of a migrator, and what else a migration's test keeps under a lock.
final class MigrationBook: @unchecked Sendable {  // Sendable: the variables are only accessed under `lock`.
    private let lock = NSLock()
    private var kept: [MigrationReport] = []
    private var modes: [String: MigrationMode] = [:]

    var reports: [MigrationReport] { lock.withLock { kept } }
    var reporter: DifferenceReporter {
        DifferenceReporter { report in self.lock.withLock { self.kept.append(report) } }
    }

    /// The remote flags, which change while the app runs.
    subscript(flag: String) -> MigrationMode? {
        get { lock.withLock { modes[flag] } }
        set { lock.withLock { modes[flag] = newValue } }
    }
}

extension Client {
    /// A client of a migration's test.
    static func migrating(_ stub: StubTransport, clock: any Clock<Duration> = TestClock()) -> Client {
        Client(baseURL: URL("https://api.example.com"), transport: stub, clock: clock)
    }
}
