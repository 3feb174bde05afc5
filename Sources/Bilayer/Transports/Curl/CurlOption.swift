#if os(Linux)
// The numbers of `curl/curl.h`. They are part of libcurl's binary interface and never change.

/// Options of a transfer that are numbers.
enum CurlNumberOption: UInt32 {
    case bufferSize = 98
    case connectOnly = 141
    case connectTimeLimitInMilliseconds = 156
    case followLocation = 52
    case freshConnection = 74
    case hidesConnectHeaders = 265
    case hidesProgress = 43
    case httpVersion = 84
    case idleAge = 288
    case noBody = 44
    case noSignals = 99
    case pathAsIs = 234
    case protocols = 181
    case quickExit = 322
    case tlsVersion = 32
    case upload = 46
    case webSocketOptions = 320
    /// A number of 64 bits on every platform.
    case uploadSize = 30_115
}

/// Options of a transfer that are texts; libcurl copies them.
enum CurlTextOption: UInt32 {
    case acceptedEncodings = 10_102
    case authorityFile = 10_065
    case certificateFile = 10_025
    case keyFile = 10_087
    case keyPassphrase = 10_026
    case method = 10_036
    case noProxy = 10_177
    case pinnedPublicKey = 10_230
    case proxy = 10_004
    case url = 10_002
    case userAgent = 10_018
}

/// Options of a transfer that are pointers: functions, the data that is passed to them, a list, memory for a text.
enum CurlPointerOption: UInt32 {
    case errorText = 10_010
    case header = 20_079
    case headerData = 10_029
    case headerList = 10_023
    case progress = 20_219
    case prerequest = 20_312
    case prerequestData = 10_313
    case progressData = 10_057
    case read = 20_012
    case readData = 10_009
    case seek = 20_167
    case seekData = 10_168
    case socket = 20_148
    case socketData = 10_149
    case tls = 20_108
    case write = 20_011
    case writeData = 10_001
}

/// Options of all transfers together.
enum CurlMultiOption: UInt32 {
    case connectionsKept = 6
    case connectionsPerHost = 7
    case connections = 13
    case events = 20_001
    case eventsData = 10_002
}

/// The figures of a transfer that libcurl provides.
enum CurlInfo {
    enum Number: Int32 {
        case connectStatus = 0x20_0016
        case httpVersion = 0x20_002E
        case lastSocket = 0x20_001D
        case newConnections = 0x20_001A
        /// A pointer to `struct curl_tlssessioninfo`, which has the connection of the library for TLS.
        case tlsConnection = 0x40_002D
        /// A number of 64 bits.
        case bytesReceived = 0x60_0008
        /// A number of 64 bits.
        case bytesSent = 0x60_0007
    }

    /// Times in seconds from the start of the transfer.
    enum Time: Int32 {
        case total = 0x30_0003
        case nameLookup = 0x30_0004
        case connect = 0x30_0005
        case beforeTransfer = 0x30_0006
        case firstByte = 0x30_0011
        case secureConnect = 0x30_0021
    }
}

/// Values of options.
enum CurlConstant {
    /// `http` and `https`.
    static let webProtocols = 1 | 2
    /// `ws` and `wss`.
    static let socketProtocols = 1 << 30 | 1 << 31
    /// Ends the transfer with the handshake, and leaves the connection to the functions of WebSockets.
    static let onlyHandshake = 2
    /// Passes the pings of the peer to this transport. libcurl would send its pong with the next frame, which may never
    /// be sent.
    static let noAutomaticPong = 2
    static let http1 = 2
    /// HTTP/2 if the server chooses it in the TLS handshake.
    static let http2OverTLS = 4
    static let tls12 = 6
    /// `SSL_OP_IGNORE_UNEXPECTED_EOF` of OpenSSL 3, an option that libcurl sets.
    static let ignoresUnexpectedEnd: UInt64 = 1 << 7
    /// `SSL_RECEIVED_SHUTDOWN` of OpenSSL.
    static let receivedShutdown: Int32 = 2
    /// Results of the callbacks. The first two pause the transfer until ``CurlHandle/goOn()``. The last one ends the
    /// transfer.
    static let pausesWriting = 0x1000_0001
    static let pausesReading = 0x1000_0001
    static let abortsReading = 0x1000_0000
    /// The longest time that libcurl accepts, almost 25 days.
    static let longestMilliseconds = 2_147_483_647
}
#endif
