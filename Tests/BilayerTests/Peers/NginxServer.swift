#if os(Linux)
import BilayerTesting
import Foundation

/// The machine's `nginx`, a server that is not part of this project: files, uploads, compression, TLS and HTTP/2.
// Sendable: nothing changes after the start.
final class NginxServer: @unchecked Sendable {
    static let path = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isInstalled: Bool { path != nil && OpenSSL.isInstalled }
    /// Whether the tests with nginx run: if it is installed, or if `BILAYER_PEERS` names it. If it is named but not
    /// installed, the tests fail.
    static var isExpected: Bool { isExpected(by: ProcessInfo.processInfo.environment, ifInstalled: isInstalled) }

    static func isExpected(by environment: [String: String], ifInstalled isInstalled: Bool) -> Bool {
        isInstalled || environment["BILAYER_PEERS"]?.split(separator: ",").contains("nginx") == true
    }

    let url: URL
    let secureURL: URL
    /// The folder of the served files; uploads go below `upload`.
    let files: URL
    let certificate: URL
    private let folder: URL
    private let process: ChildProcess

    struct CannotStart: Error {}

    private init(_ folder: URL, _ port: Int, _ securePort: Int, _ process: ChildProcess) throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/"),
            let secureURL = URL(string: "https://127.0.0.1:\(securePort)/")
        else { throw CannotStart() }
        self.folder = folder
        self.process = process
        self.url = url
        self.secureURL = secureURL
        files = folder.appending(path: "files")
        certificate = folder.appending(path: "cert.pem")
    }

    /// The process ends with the last reference to it.
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts nginx with a certificate for 127.0.0.1. Waits until it listens.
    static func start() async throws -> NginxServer {
        // The ports were free a moment ago, but another program may have taken one since.
        for _ in 1...4 { if let server = try? await attempt() { return server } }
        return try await attempt()
    }

    private static func attempt() async throws -> NginxServer {
        guard let path else { throw CannotStart() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "nginx-\(UUID().uuidString)")
        for name in ["files/upload", "temporary"] {
            let inner = folder.appending(path: name)
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        }
        let files = [
            "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
        ]
        _ = try OpenSSL.run(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"] + files
        )
        let (port, securePort) = (try await freePort(), try await freePort())
        try Data(configuration(port, securePort).utf8).write(to: folder.appending(path: "nginx.conf"))
        let process = try ChildProcess(
            [path, "-p", folder.path, "-c", "nginx.conf"],
            in: folder,
            output: folder.appending(path: "output")
        )
        let server = try NginxServer(folder, port, securePort, process)
        // nginx writes this file when it listens.
        while !FileManager.default.fileExists(atPath: folder.appending(path: "nginx.pid").path) {
            if process.hasEnded { throw CannotStart() }
            try await Task.sleep(for: .milliseconds(10))
        }
        return server
    }

    /// Makes a file that nginx serves.
    func serve(_ bytes: Data, as name: String) throws { try bytes.write(to: files.appending(path: name)) }

    private static func configuration(_ port: Int, _ securePort: Int) -> String {
        """
        daemon off;
        master_process off;
        user root;
        pid nginx.pid;
        error_log stderr;
        events {}
        http {
            access_log off;
            # On a busy machine the reader of a body may stop for longer than the default of a minute.
            send_timeout 600s;
            client_body_timeout 600s;
            client_max_body_size 0;
            client_body_temp_path temporary/body;
            proxy_temp_path temporary/proxy;
            fastcgi_temp_path temporary/fastcgi;
            uwsgi_temp_path temporary/uwsgi;
            scgi_temp_path temporary/scgi;
            gzip on;
            gzip_types text/plain;
            types { text/plain txt; }
            default_type application/octet-stream;
            root files;
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(securePort) ssl http2;
                ssl_certificate cert.pem;
                ssl_certificate_key key.pem;
                location /upload/ { dav_methods PUT DELETE; }
                location /limited/ {
                    client_max_body_size 1k;
                    return 200;
                }
                location /arguments { return 200 $args; }
                # The address of an X-Accel-Redirect is decoded.
                location = /decoded { proxy_pass http://127.0.0.1:\(port)/encoded?text=$arg_text; }
                location = /encoded {
                    add_header X-Accel-Redirect /text/$arg_text;
                    return 204;
                }
                location /text/ {
                    internal;
                    default_type text/plain;
                    charset utf-8;
                    return 200 $uri;
                }
                location /moved { return 307 /upload/moved.bin; }
            }
        }
        """
    }

    /// A port that was free a moment ago.
    private static func freePort() async throws -> Int {
        let server = try await FaultServer.start()
        defer { server.stop() }
        guard let port = server.url.port else { throw CannotStart() }
        return port
    }
}
#endif
