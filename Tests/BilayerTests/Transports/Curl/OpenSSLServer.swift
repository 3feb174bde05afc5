#if os(Linux)
import Foundation
import Testing

/// The machine's `openssl`.
enum OpenSSL {
    static let path = "/usr/bin/openssl"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    /// Runs a command to its end and gives what it printed.
    static func run(_ arguments: [String]) throws -> Data { try ChildProcess.output(of: [path] + arguments) }
}

/// `openssl s_server`, which answers each request with a page about its connection.
// Sendable: nothing changes after the start.
final class OpenSSLServer: @unchecked Sendable {
    let url: URL
    let certificate: URL
    let key: URL
    private let folder: URL
    private let process: ChildProcess

    struct NoAddress: Error {}

    private init(url: URL, folder: URL, process: ChildProcess) {
        self.url = url
        self.folder = folder
        self.process = process
        certificate = folder.appending(path: "cert.pem")
        key = folder.appending(path: "key.pem")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes a certificate for 127.0.0.1, and a server with it on a port that the system chooses.
    static func start(asksForCertificate: Bool = false) async throws -> OpenSSLServer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path)
        let files = ["-keyout", key, "-out", certificate]
        _ = try OpenSSL.run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"] + files
        )
        let output = folder.appending(path: "output")
        let process = try ChildProcess(
            [OpenSSL.path, "s_server", "-accept", "127.0.0.1:0", "-www", "-key", "key.pem", "-cert", "cert.pem"]
                + (asksForCertificate ? ["-Verify", "1", "-verify_return_error", "-CAfile", "cert.pem"] : []),
            in: folder,
            output: output
        )
        // It prints `ACCEPT 127.0.0.1:34567`.
        var text = ""
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            try await Task.sleep(for: .milliseconds(10))
            text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
        guard let port = line?.split(separator: ":").last, let url = URL(string: "https://127.0.0.1:\(port)/") else {
            throw NoAddress()
        }
        return OpenSSLServer(url: url, folder: folder, process: process)
    }

    /// The pin of the certificate's public key.
    func pin() throws -> String {
        let key = folder.appending(path: "key.pem").path
        let spki = folder.appending(path: "key.der").path
        _ = try OpenSSL.run(["pkey", "-in", key, "-pubout", "-outform", "DER", "-out", spki])
        return "sha256//" + (try OpenSSL.run(["dgst", "-sha256", "-binary", spki])).base64EncodedString()
    }
}
#endif
