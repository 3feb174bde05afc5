#if os(Linux)
import Bilayer
import Foundation

/// A key and its certificate, and the context for connections that use them.
@safe
// Sendable: the context is never changed after it was made, and OpenSSL counts its references by atomics.
final class TLSIdentity: @unchecked Sendable {
    private let openSSL: OpenSSLLibrary
    private let context: OpenSSLLibrary.Object
    /// The certificate as text (RFC 7468).
    let pem: Data

    /// Makes a key on the curve P-256 and signs its certificate with it.
    /// - Parameters:
    ///   - hosts: Names and IPv4 addresses.
    ///   - begin: The start of its validity, in seconds from now.
    ///   - end: The end of its validity, in seconds from now.
    /// - Throws: ``FaultServerError``.
    init(for hosts: [String], from begin: Int, to end: Int) throws {
        let openSSL = try OpenSSLLibrary.shared.get()
        // Bound: each object is made by OpenSSL, checked before it is used, and freed once; texts are terminated and
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

    /// Begins the server's end of a connection.
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
        // Bound: at most as many bytes are written as the buffer holds.
        let count = unsafe text.withUnsafeMutableBytes { buffer in
            unsafe openSSL.memoryRead(memory, buffer.baseAddress, Int32(buffer.count))
        }
        return text.prefix(Int(max(count, 0)))
    }

    private static let failure = FaultServerError("OpenSSL cannot make a certificate")
}

// The numbers of OpenSSL's headers, part of its binary interface.
private let ellipticCurve: Int32 = 408
private let p256: Int32 = 415
private let asciiText: Int32 = 0x1001
private let subjectAlternatives: Int32 = 85
private let basicConstraints: Int32 = 87
private let setMode: Int32 = 33
/// A write may take a part, and may be repeated from another address.
private let writesAnyPart = 1 | 2
#endif
