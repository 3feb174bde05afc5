#if os(Linux)
import Bilayer
import Foundation

/// A key, its certificate, and the OpenSSL context of the connections that use them.
@safe
// Sendable: the context never changes after its creation, and OpenSSL counts its references atomically.
final class TLSIdentity: @unchecked Sendable {
    private let openSSL: OpenSSLLibrary
    private let context: OpenSSLLibrary.Object
    /// The certificate in PEM format (RFC 7468).
    let pem: Data

    /// Makes a key on the curve P-256 and a certificate signed with this key.
    /// - Parameters:
    ///   - hosts: The host names and IPv4 addresses of the certificate.
    ///   - begin: The start of the validity, in seconds from now.
    ///   - end: The end of the validity, in seconds from now.
    /// - Throws: ``FaultServerError``.
    init(for hosts: [String], from begin: Int, to end: Int) throws {
        let openSSL = try OpenSSLLibrary.shared.get()
        // Bound: OpenSSL makes each object; it is checked before its use and freed once. Texts are null-terminated and
        // copied during the calls.
        let key = unsafe try Self.makeKey(openSSL)
        defer { unsafe openSSL.keyFree(key) }
        guard let certificate = unsafe openSSL.certificate() else { throw Self.failure }
        defer { unsafe openSSL.certificateFree(certificate) }
        let name = unsafe openSSL.subject(certificate)
        _ = unsafe openSSL.setVersion(certificate, 2)
        _ = unsafe openSSL.setInteger(openSSL.serialNumber(certificate), Int.random(in: 1...(1 << 40)))
        _ = unsafe openSSL.adjust(openSSL.notBefore(certificate), begin)
        _ = unsafe openSSL.adjust(openSSL.notAfter(certificate), end)
        _ = unsafe openSSL.addEntry(name, "CN", asciiText, hosts.first ?? "localhost", -1, -1, 0)
        let alternatives = hosts.map { host in
            host.allSatisfy { $0.isNumber || $0 == "." } ? "IP:\(host)" : "DNS:\(host)"
        }
        unsafe try Self.add(subjectAlternatives, alternatives.joined(separator: ","), to: certificate, openSSL)
        unsafe try Self.add(basicConstraints, "critical,CA:TRUE", to: certificate, openSSL)
        guard unsafe openSSL.setKey(certificate, key) == 1, unsafe openSSL.setIssuer(certificate, name) == 1,
            unsafe openSSL.sign(certificate, key, openSSL.sha256()) > 0,
            let context = unsafe openSSL.context(openSSL.serverMethod()),
            unsafe openSSL.useCertificate(context, certificate) == 1, unsafe openSSL.useKey(context, key) == 1
        else { throw Self.failure }
        _ = unsafe openSSL.contextControl(context, setMode, writesAnyPart, nil)
        self.openSSL = openSSL
        unsafe self.context = unsafe context
        pem = unsafe try Self.text(of: certificate, openSSL)
    }

    deinit {
        // Bound: the context is this object's own.
        unsafe openSSL.contextFree(context)
    }

    /// Makes the server's end of a connection with TLS.
    /// - Throws: ``FaultServerError``.
    func connection(over descriptor: Descriptor) throws -> TLSConnection {
        // Bound: the context is this object's own.
        guard let connection = unsafe openSSL.connection(context) else { throw Self.failure }
        return unsafe TLSConnection(openSSL, connection, descriptor)
    }

    private static func makeKey(_ openSSL: OpenSSLLibrary) throws -> OpenSSLLibrary.Object {
        var key: OpenSSLLibrary.Object?
        guard let maker = unsafe openSSL.keyContext(ellipticCurve, nil) else { throw failure }
        defer { unsafe openSSL.keyContextFree(maker) }
        guard unsafe openSSL.keyStart(maker) == 1, unsafe openSSL.keyCurve(maker, p256) == 1,
            unsafe openSSL.keyMake(maker, &key) == 1, let key = unsafe key
        else { throw failure }
        return unsafe key
    }

    private static func add(
        _ number: Int32,
        _ value: String,
        to certificate: OpenSSLLibrary.Object,
        _ openSSL: OpenSSLLibrary
    ) throws {
        guard let made = unsafe openSSL.makeExtension(nil, nil, number, value) else { throw failure }
        defer { unsafe openSSL.extensionFree(made) }
        guard unsafe openSSL.addExtension(certificate, made, -1) == 1 else { throw failure }
    }

    private static func text(of certificate: OpenSSLLibrary.Object, _ openSSL: OpenSSLLibrary) throws -> Data {
        guard let memory = unsafe openSSL.memory(openSSL.memoryKind()) else { throw failure }
        defer { _ = unsafe openSSL.memoryFree(memory) }
        guard unsafe openSSL.writePEM(memory, certificate) == 1 else { throw failure }
        var text = Data(count: 8_192)
        // Bound: OpenSSL writes at most as many bytes as the buffer holds.
        let count = unsafe text.withUnsafeMutableBytes { buffer in
            unsafe openSSL.memoryRead(memory, buffer.baseAddress, Int32(buffer.count))
        }
        return text.prefix(Int(max(count, 0)))
    }

    private static let failure = FaultServerError("OpenSSL cannot make a certificate")
}

// Constants of OpenSSL's headers. They are part of its binary interface.
private let ellipticCurve: Int32 = 408
private let p256: Int32 = 415
private let asciiText: Int32 = 0x1001
private let subjectAlternatives: Int32 = 85
private let basicConstraints: Int32 = 87
private let setMode: Int32 = 33
/// The modes that allow a write to send only a part of the bytes, and to be repeated with another address.
private let writesAnyPart = 1 | 2
#endif
