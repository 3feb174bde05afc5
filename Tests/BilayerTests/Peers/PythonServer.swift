#if os(Linux)
import BilayerTesting
import Foundation

/// A server in Python that is not part of this project, from a package that `.ci/run tools` installs into
/// `.build-python`.
///
/// The server's program gets the folder of the packages, and the path of a file into which it writes its ports. The
/// process ends with the last reference.
// Sendable: nothing changes after the start.
final class PythonServer: @unchecked Sendable {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let packages = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: ".build-python")

    /// Whether there is Python, and the package is installed.
    static func has(_ package: String) -> Bool {
        python != nil && FileManager.default.fileExists(atPath: packages.appending(path: package).path)
    }

    /// The addresses of the server, one for each port.
    let urls: [URL]
    var url: URL { urls[0] }
    private let folder: URL
    private let process: ChildProcess

    struct CannotStart: Error {}

    private init(_ urls: [URL], _ folder: URL, _ process: ChildProcess) {
        self.urls = urls
        self.folder = folder
        self.process = process
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts the program, which chooses free ports. Waits until it listens.
    static func start(_ program: String) async throws -> PythonServer {
        guard let python else { throw CannotStart() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = folder.appending(path: "server.py")
        try Data(program.utf8).write(to: script)
        let port = folder.appending(path: "port")
        let process = try ChildProcess(
            [python, script.path, packages.path, port.path],
            in: folder,
            output: folder.appending(path: "output")
        )
        // The file gets this name only when it is complete.
        while !FileManager.default.fileExists(atPath: port.path) {
            if process.hasEnded { throw CannotStart() }
            try await Task.sleep(for: .milliseconds(10))
        }
        let ports = try String(contentsOf: port, encoding: .utf8).split(separator: " ")
        let urls = ports.compactMap { URL(string: "http://127.0.0.1:\($0)/") }
        if urls.isEmpty { throw CannotStart() }
        return PythonServer(urls, folder, process)
    }
}
#endif
