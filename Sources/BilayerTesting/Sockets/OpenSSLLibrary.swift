#if os(Linux)
import Bilayer

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The functions of the installed OpenSSL 3 that a server needs. They are looked up at run time. None of them is
/// variadic.
@safe
// Sendable: the functions never change. OpenSSL allows calls from any thread, but each object by one thread at a time.
final class OpenSSLLibrary: @unchecked Sendable {
    typealias Object = UnsafeMutableRawPointer
    typealias Make = @convention(c) @Sendable () -> Object?
    typealias Free = @convention(c) @Sendable (Object?) -> Void
    typealias Use = @convention(c) @Sendable (Object?) -> Int32
    typealias Get = @convention(c) @Sendable (Object?) -> Object?
    typealias Set = @convention(c) @Sendable (Object?, Object?) -> Int32
    typealias SetNumber = @convention(c) @Sendable (Object?, Int) -> Int32
    typealias Adjust = @convention(c) @Sendable (Object?, Int) -> Object?

    // Keys
    let keyContext: @convention(c) @Sendable (Int32, Object?) -> Object?
    let keyContextFree: Free
    let keyStart: Use
    let keyCurve: @convention(c) @Sendable (Object?, Int32) -> Int32
    let keyMake: @convention(c) @Sendable (Object?, UnsafeMutablePointer<Object?>) -> Int32
    let keyFree: Free

    // Certificates
    let certificate: Make
    let certificateFree: Free
    let setVersion: SetNumber
    let serialNumber: Get
    let setInteger: SetNumber
    let notBefore: Get
    let notAfter: Get
    let adjust: Adjust
    let setKey: Set
    let subject: Get
    let setIssuer: Set
    let addEntry:
        @convention(c) @Sendable (Object?, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, Int32, Int32, Int32) ->
            Int32
    let makeExtension: @convention(c) @Sendable (Object?, Object?, Int32, UnsafePointer<CChar>) -> Object?
    let addExtension: @convention(c) @Sendable (Object?, Object?, Int32) -> Int32
    let extensionFree: Free
    let sign: @convention(c) @Sendable (Object?, Object?, Object?) -> Int
    let sha256: Make

    // The text of a certificate
    let memoryKind: Make
    let memory: @convention(c) @Sendable (Object?) -> Object?
    let memoryRead: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let memoryFree: Use
    let writePEM: Set

    // Connections
    let serverMethod: Make
    let context: @convention(c) @Sendable (Object?) -> Object?
    let contextFree: Free
    let contextControl: @convention(c) @Sendable (Object?, Int32, Int, Object?) -> Int
    let useCertificate: Set
    let useKey: Set
    let connection: @convention(c) @Sendable (Object?) -> Object?
    let connectionFree: Free
    let setDescriptor: @convention(c) @Sendable (Object?, Int32) -> Int32
    let accept: Use
    let read: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @convention(c) @Sendable (Object?, UnsafeRawPointer?, Int32) -> Int32
    let error: @convention(c) @Sendable (Object?, Int32) -> Int32
    let clearErrors: @convention(c) @Sendable () -> Void
    let shutDown: Use

    /// The library of this process. It is opened when it is first used.
    static let shared = Result { try OpenSSLLibrary() }

    private init() throws {
        // Bound: `dlopen` takes a null-terminated text.
        guard let library = unsafe dlopen("libssl.so.3", RTLD_NOW) else {
            throw FaultServerError("libssl.so.3 cannot be opened: a server with TLS needs OpenSSL 3")
        }
        func function<Function>(_ name: String, as type: Function.Type = Function.self) throws -> Function {
            // Bound: the library is open and is never closed. The name is a null-terminated text.
            guard let found = unsafe dlsym(library, name) else { throw FaultServerError("OpenSSL has no \(name)") }
            // Bound: the symbol is a function of this type according to the library's header.
            return unsafe unsafeBitCast(found, to: type)
        }
        unsafe keyContext = try function("EVP_PKEY_CTX_new_id")
        unsafe keyContextFree = try function("EVP_PKEY_CTX_free")
        unsafe keyStart = try function("EVP_PKEY_keygen_init")
        unsafe keyCurve = try function("EVP_PKEY_CTX_set_ec_paramgen_curve_nid")
        unsafe keyMake = try function("EVP_PKEY_keygen")
        unsafe keyFree = try function("EVP_PKEY_free")
        unsafe certificate = try function("X509_new")
        unsafe certificateFree = try function("X509_free")
        unsafe setVersion = try function("X509_set_version")
        unsafe serialNumber = try function("X509_get_serialNumber")
        unsafe setInteger = try function("ASN1_INTEGER_set")
        unsafe notBefore = try function("X509_getm_notBefore")
        unsafe notAfter = try function("X509_getm_notAfter")
        unsafe adjust = try function("X509_gmtime_adj")
        unsafe setKey = try function("X509_set_pubkey")
        unsafe subject = try function("X509_get_subject_name")
        unsafe setIssuer = try function("X509_set_issuer_name")
        unsafe addEntry = try function("X509_NAME_add_entry_by_txt")
        unsafe makeExtension = try function("X509V3_EXT_conf_nid")
        unsafe addExtension = try function("X509_add_ext")
        unsafe extensionFree = try function("X509_EXTENSION_free")
        unsafe sign = try function("X509_sign")
        unsafe sha256 = try function("EVP_sha256")
        unsafe memoryKind = try function("BIO_s_mem")
        unsafe memory = try function("BIO_new")
        unsafe memoryRead = try function("BIO_read")
        unsafe memoryFree = try function("BIO_free")
        unsafe writePEM = try function("PEM_write_bio_X509")
        unsafe serverMethod = try function("TLS_server_method")
        unsafe context = try function("SSL_CTX_new")
        unsafe contextFree = try function("SSL_CTX_free")
        unsafe contextControl = try function("SSL_CTX_ctrl")
        unsafe useCertificate = try function("SSL_CTX_use_certificate")
        unsafe useKey = try function("SSL_CTX_use_PrivateKey")
        unsafe connection = try function("SSL_new")
        unsafe connectionFree = try function("SSL_free")
        unsafe setDescriptor = try function("SSL_set_fd")
        unsafe accept = try function("SSL_accept")
        unsafe read = try function("SSL_read")
        unsafe write = try function("SSL_write")
        unsafe error = try function("SSL_get_error")
        clearErrors = try function("ERR_clear_error")
        unsafe shutDown = try function("SSL_shutdown")
    }
}
#endif
