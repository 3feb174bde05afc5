#if os(Linux)
import Testing

/// A module, whose folders are rooms.
struct House: Sendable, CustomTestStringConvertible {
    let module: String
    /// The rooms, from the ground up. Rooms on one floor do not use each other.
    let floors: [[String]]
    /// The circles of files that use each other and may stay so, each with its reason. None has more than five files.
    let circles: [Set<String>: String]

    static let all = [library, testing]

    var testDescription: String { module }

    /// Which file uses which. Read once for all tests.
    var graph: SourceGraph {
        get throws { try (module == Self.library.module ? Self.libraryGraph : Self.testingGraph).get() }
    }

    private static let libraryGraph = Result { SourceGraph(try IndexStore(of: library.module)) }
    private static let testingGraph = Result { SourceGraph(try IndexStore(of: testing.module)) }
}

extension House {
    /// The library.
    static let library = House(
        module: "Bilayer",
        floors: [
            ["Basics/Data", "Basics/Locking", "Basics/Time"],
            ["Basics/Text"],
            ["Basics/Redaction"],
            ["Json/Memory"],
            ["Json/Text"],
            ["Json/Index"],
            ["Json/Output"],
            ["Json/Path"],
            ["Json"],
            ["HTTP"],
            ["Issues"],
            ["Coding"],
            ["Coding/Decoding", "Coding/Encoding"],
            ["Mapping/Session"],
            ["Mapping/Reports"],
            ["Mapping/Raw/ReadKeys"],
            ["Mapping/Raw/ErrorSearch", "Mapping/Raw/Salvaging"],
            ["Mapping/Raw"],
            ["Mapping/Raw/Writing"],
            ["Mapping/DTO"],
            ["Mapping/Tools/Require"],
            ["Mapping/Tools/Formats"],
            ["Mapping/Tools/Formats/Dates"],
            ["Mapping/Tools/Scalars"],
            ["Mapping/Tools/Identifiers"],
            ["Mapping/Tools/Defaults"],
            ["Mapping/Tools/OpenEnum"],
            ["Mapping/Tools/Field"],
            ["Mapping/Tools/Lossy"],
            ["Mapping/Tools/UnknownKeys"],
            ["Mapping/Tools/KeysAndPaths"],
            ["Mapping/Tools/Polymorphism"],
            ["Chain/Call"],
            ["Chain/Nodes"],
            ["Chain/TimeLimits"],
            ["Chain"],
            ["Transports/Shared"],
            ["Transports/Curl", "Transports/URLSession"],
            ["Transports"],
            ["StageNodes"],
            ["RequestBodies"],
            ["Routes"],
            ["Client"],
            ["Observers"],
            ["Middlewares/Shared"],
            [
                "Middlewares/Cache", "Middlewares/Deduplication", "Middlewares/Headers", "Middlewares/Limits",
                "Middlewares/Retry",
            ],
            ["Middlewares/Authentication"],
            ["Streams"],
            ["Transfers"],
            ["WebSockets"],
            ["APIStandards", "Batching", "Pages"],
            ["GraphQL"],
            ["Migration"],
        ],
        circles: [
            ["DecodingContext", "DecodingFailures", "DecodingFastPath", "KeyedDecodingState", "ValueDecoder"]:
                "a call holds its decoders and containers, and each of them holds the call",
            ["EncodingContext", "EncodingFastPath", "KeyedEncodingState", "ValueEncoder"]:
                "a call holds its encoders and containers, and each of them holds the call",
            ["JsonKeyedDecodingContainer", "JsonUnkeyedDecodingContainer", "ValueDecoder+Decoder"]:
                "decoders make containers, which make decoders for what is nested",
            ["JsonKeyedEncodingContainer", "JsonUnkeyedEncodingContainer", "PathWriting", "ValueEncoder+Encoder"]:
                "encoders make containers, which make encoders for what is nested",
            ["DecodingContext+Dictionary", "DecodingContext+Values"]:
                "a value may be a dictionary, and the members of a dictionary are values",
            ["DecodingContext+Frames", "KeyedReader", "KeyedReader+ConvertedKeys"]:
                "a frame reclaims its containers when it ends, and they make decoders for what is nested",
            ["EncodingContext+Frames", "KeyedWriter"]:
                "a frame reclaims its containers when it ends, and they make encoders for what is nested",
            ["Either", "Either+Reading"]: "a value of one of two types is chosen by reading both, and is one of them",
            ["OutputSegment", "EncodingFrame"]: "a text has an innermost value, and a value a text",
            ["Json", "JsonArray", "JsonObject"]: "a value may be an array or an object of values",
            ["Json+Serialization", "JsonPrinter"]: "the printer takes the layout, which is a type inside of the value",
            ["ByteWriter", "ByteWriter+Numbers"]: "one type in two files",
            ["DescribeForeign", "MappingError", "MappingIssue+DecodingError", "MappingIssue+EncodingError"]:
                "an issue may come of an error that holds issues",
            ["AttemptIdentity", "HTTPBody", "HTTPBody+Chunks", "HTTPResponse", "TransportError"]:
                "both outcomes of an attempt carry its mark, and the error of a body may have a response",
            ["HTTPHeaders", "HTTPHeaders+Name", "HTTPHeaders+Secrets"]: "names are types inside of the headers",
            ["QueryItems", "RouteArgument"]: "an argument can be a query value",
            ["Json+Mapping", "Json+Scalars"]: "a scalar that is not at the hint is read as a value of any type",
            ["JsonArrayWriter", "JsonObjectWriter", "JsonWritable", "JsonWriter"]:
                "a written value may be an array or an object of written values",
            ["DecodingAttempt", "ValueDecoder+Salvaging"]:
                "elements are read in place by our own decoder, and described as those of any decoder",
            ["ReadAtPath", "ResponseReading", "ResponseStages"]:
                "a reading makes the one of a part, which parses as the whole does",
            ["KeyRecord", "RecordingDecoder"]: "the record names the types whose containers the decoder opens",
            ["ErrorSearch", "ErrorSearchable", "ReadShape", "SearchDecoder", "SearchFrame"]:
                "a search for errors goes from a value to its parts by decoders, which note what types request",
            ["CallContext", "CallObserver", "CallRecord", "MappingReport+Call"]:
                "a call's report shows its record, and observers see the call",
            ["CallEvent", "CallMetrics"]: "figures are counted from events, and the last event has them",
            ["CurlEngine", "CurlLoop"]: "the engine starts the thread, which takes the engine's commands",
        ]
    )

    /// The tools for the tests of an app.
    static let testing = House(
        module: "BilayerTesting",
        floors: [
            ["Support"],
            ["Clock", "Contracts", "Sockets"],
            ["FaultServer", "GraphQL"],
            ["Conformance", "Transports"],
        ],
        circles: [
            ["ClientSocket", "ClientSocket+TLS"]: "one type in two files",
            ["Connection", "ServerEngine"]: "a server makes its connections, and each asks the server for its replies",
            ["DocumentChecker", "DocumentChecker+Definitions", "FieldMerging"]:
                "a checker in two files, and a part of its check that reads the checker's schema",
            [
                "RecordingRedaction+Addresses", "RecordingRedaction+GraphQL", "RecordingRedaction+Members",
                "RecordingRedaction+Texts",
            ]: "a text has documents, members and addresses, and their values are texts",
            ["RecordingRedaction+Bodies", "RecordingRedaction+Parts"]: "a body has parts, and a part has a body",
            ["StubTransport", "StubTransport+Answer"]: "the answer is a type inside of the transport",
        ]
    )
}
#endif
