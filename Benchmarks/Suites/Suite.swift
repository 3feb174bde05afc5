/// A group of cases that can be selected for a run.
enum Suite: String, CaseIterable {
    case jsonDecode = "json-decode"
    case jsonEncode = "json-encode"
    case jsonValue = "json-value"
    case dates
    case chain
    case corners
    case mapping
    case memory
    case scaling
    case parallel
    case optimizations
    case tolerance
    case conventions
    case network

    var summary: String {
        switch self {
        case .jsonDecode: "bytes to values"
        case .jsonEncode: "values to bytes"
        case .jsonValue: "bytes to Json and back, against Foundation's struct decode and encode"
        case .dates: "RFC 3339 strings to dates"
        case .chain: "bytes to Json to entries to models through a client, against one-layer decoding"
        case .corners: "dynamic and many keys, class hierarchies, key strategies, try? chains and edits"
        case .mapping: "entries to models, and single tools, against decoding the same bytes"
        case .memory: "heap blocks and peak bytes of one run, untimed"
        case .scaling: "the same data from 1 KB up: MB/s stays level if time is linear"
        case .parallel: "two bodies on one task and on two"
        case .optimizations: "the coders with all of their optimizations, and without each"
        case .tolerance: "salvaging of good and bad lists, against the standard policy on good ones"
        case .network: "calls over loopback, against a bare URLSession with a JSONDecoder"
        case .conventions: "keys and formats of a client, against keys that are written down"
        }
    }

    func cases(_ corpora: Corpora, largestBody: Int) throws -> [Case] {
        switch self {
        case .jsonDecode: corpora.all.map { decodeCase(of: $0) }
        case .jsonEncode: try corpora.all.map { try encodeCase(of: $0) }
        case .jsonValue: try corpora.all.flatMap { try valueCases(of: $0) }
        case .dates: [datesCase(of: corpora.users), try instantsCase()]
        case .chain: try chainCases(of: corpora)
        case .corners: try cornerCases(of: corpora)
        case .mapping: try mappingCases()
        case .memory: try memoryCases(of: corpora)
        case .scaling: scalingCases(upTo: largestBody)
        case .parallel: try parallelCases(of: corpora.users)
        case .optimizations: try optimizationCases(of: corpora)
        case .tolerance: toleranceCases()
        case .conventions: try conventionsCases()
        case .network: try networkCases()
        }
    }
}
