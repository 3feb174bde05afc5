#if os(Linux)
import Foundation
import Testing

@testable import Bilayer

@Suite("CurlLibrary")
struct CurlLibraryTests {
    @Test func theMachinesLibraryIsFound() throws {
        let library = try CurlLibrary.shared.get()
        #expect(library.version >= .oldest)
        #expect(library.text(of: .cannotConnect).isEmpty == false)
    }

    @Test func aMissingLibraryIsNamed() throws {
        let error = #expect(throws: CurlUnavailableError.self) { try CurlSymbols(library: "libcurl-is-gone.so.4") }
        #expect(error?.description == "libcurl-is-gone.so.4 cannot be opened: expected libcurl 7.68.0 or newer")
    }

    @Test(arguments: ["curl_multi_wakeup", "curl_easy_init", "CFURLSession_easy_setopt_tc", "curl_version"])
    func aMissingFunctionIsNamed(name: String) throws {
        let whole = try CurlSymbols()
        let symbols = unsafe CurlSymbols { asked in
            asked == name ? nil : unsafe try? whole.function(asked, as: UnsafeMutableRawPointer.self)
        }
        let error = #expect(throws: CurlUnavailableError.self) { try CurlLibrary(symbols) }
        #expect(error?.description.contains("has no function \(name): expected libcurl 7.68.0 or newer") == true)
    }

    @Test func anOldLibraryIsRefused() throws {
        let whole = try CurlSymbols()
        let symbols = unsafe CurlSymbols { asked in
            guard asked == "curl_version" else {
                return unsafe try? whole.function(asked, as: UnsafeMutableRawPointer.self)
            }
            let old: @convention(c) () -> UnsafePointer<CChar>? = { unsafe oldVersion }
            // Bound: a function of the type that the library expects under this name.
            return unsafe unsafeBitCast(old, to: UnsafeMutableRawPointer.self)
        }
        let error = #expect(throws: CurlUnavailableError.self) { try CurlLibrary(symbols) }
        #expect(error?.description == "expected libcurl 7.68.0 or newer, found 7.61.1")
    }

    @Test(
        arguments: [
            ("libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13", CurlVersion(7, 88, 1)),
            ("libcurl/8.5.0-DEV GnuTLS/3.7", CurlVersion(8, 5, 0)), ("libcurl/7.68 x", nil), ("curl/7.88.1", nil),
            ("", nil),
        ] as [(String, CurlVersion?)]
    )
    func versionsAreRead(text: String, version: CurlVersion?) {
        #expect(CurlVersion(text) == version)
    }

    /// FoundationNetworking exports the numbers that it was compiled with.
    @Test(
        arguments: [
            ("OptionURL", CurlTextOption.url.rawValue), ("OptionPROXY", CurlTextOption.proxy.rawValue),
            ("OptionNOPROXY", CurlTextOption.noProxy.rawValue),
            ("OptionCAINFO", CurlTextOption.authorityFile.rawValue),
            ("OptionSSLCERT", CurlTextOption.certificateFile.rawValue),
            ("OptionSSLKEY", CurlTextOption.keyFile.rawValue),
            ("OptionKEYPASSWD", CurlTextOption.keyPassphrase.rawValue),
            ("OptionCUSTOMREQUEST", CurlTextOption.method.rawValue),
            ("OptionACCEPT_ENCODING", CurlTextOption.acceptedEncodings.rawValue),
            ("OptionUSERAGENT", CurlTextOption.userAgent.rawValue), ("OptionNOBODY", CurlNumberOption.noBody.rawValue),
            ("OptionUPLOAD", CurlNumberOption.upload.rawValue), ("OptionNOSIGNAL", CurlNumberOption.noSignals.rawValue),
            ("OptionINFILESIZE_LARGE", CurlNumberOption.uploadSize.rawValue),
            ("OptionPROTOCOLS", CurlNumberOption.protocols.rawValue),
            ("OptionNOPROGRESS", CurlNumberOption.hidesProgress.rawValue),
            ("OptionHTTP_VERSION", CurlNumberOption.httpVersion.rawValue),
            ("OptionSSLVERSION", CurlNumberOption.tlsVersion.rawValue),
            ("OptionBUFFERSIZE", CurlNumberOption.bufferSize.rawValue),
            ("OptionCONNECTTIMEOUT_MS", CurlNumberOption.connectTimeLimitInMilliseconds.rawValue),
            ("OptionXFERINFOFUNCTION", CurlPointerOption.progress.rawValue),
            ("OptionWRITEFUNCTION", CurlPointerOption.write.rawValue),
            ("OptionHEADERFUNCTION", CurlPointerOption.header.rawValue),
            ("OptionREADFUNCTION", CurlPointerOption.read.rawValue),
            ("OptionSEEKFUNCTION", CurlPointerOption.seek.rawValue),
            ("OptionSOCKOPTFUNCTION", CurlPointerOption.socket.rawValue),
            ("InfoTOTAL_TIME", UInt32(CurlInfo.Time.total.rawValue)),
            ("InfoPRETRANSFER_TIME", UInt32(CurlInfo.Time.beforeTransfer.rawValue)),
            ("InfoAPPCONNECT_TIME", UInt32(CurlInfo.Time.secureConnect.rawValue)),
            ("InfoNUM_CONNECTS", UInt32(CurlInfo.Number.newConnections.rawValue)),
            ("InfoHTTP_CONNECTCODE", UInt32(CurlInfo.Number.connectStatus.rawValue)),
        ] as [(String, UInt32)]
    )
    func numbersAreThoseOfTheHeader(name: String, number: UInt32) throws {
        let address = unsafe try CurlSymbols().function("CFURLSession\(name)", as: UnsafeRawPointer.self)
        // Bound: the constants are structures of one number of 32 bits.
        #expect(unsafe address.load(as: UInt32.self) == number)
    }
}

nonisolated(unsafe) private let oldVersion = unsafe strdup("libcurl/7.61.1 OpenSSL/1.1.1")
    .map {
        unsafe UnsafePointer($0)
    }
#endif
