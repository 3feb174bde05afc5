#if os(Linux)
import Foundation
import Testing

/// The rooms of the sources and their floors. A room uses only rooms on the floors below it.
///
/// `Architecture.md` in the documentation catalogue says what is in each room. A new folder under `Sources/Bilayer`
/// gets its floor here.
@Suite("The house: rooms, and arrows that point down")
struct HouseTests {
    /// From the ground up. Rooms on one floor do not use each other.
    static let floors: [[String]] = [
        ["Basics/Locking", "Basics/Time"],
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
        ["Middlewares/Cache", "Middlewares/Deduplication", "Middlewares/Limits", "Middlewares/Retry"],
        ["Middlewares/Authentication"],
        ["Middlewares/Requests"],
        ["Streams"],
        ["Transfers"],
        ["WebSockets"],
        ["APIStandards", "Batching", "Pages"],
        ["GraphQL"],
        ["Migration"],
    ]

    /// The circles of files that stay, each with its reason. None is larger than five.
    static let circles: [Set<String>: String] = [
        ["DecodingContext", "DecodingFailures", "DecodingFastPath", "KeyedDecodingState", "ValueDecoder"]:
            "a call holds its decoders and containers, and each of them holds the call",
        ["EncodingContext", "EncodingFastPath", "KeyedEncodingState", "ValueEncoder"]:
            "a call holds its encoders and containers, and each of them holds the call",
        ["JsonKeyedDecodingContainer", "JsonUnkeyedDecodingContainer", "ValueDecoder+Decoder"]:
            "decoders make containers, which make decoders for what is nested",
        ["JsonKeyedEncodingContainer", "JsonUnkeyedEncodingContainer", "PathWriting", "ValueEncoder+Encoder"]:
            "encoders make containers, which make encoders for what is nested",
        ["DecodingContext+Frames", "KeyedReader", "KeyedReader+ConvertedKeys"]:
            "a frame reclaims its containers when it ends, and they make decoders for what is nested",
        ["EncodingContext+Frames", "KeyedWriter"]:
            "a frame reclaims its containers when it ends, and they make encoders for what is nested",
        ["Either", "Either+Reading"]: "a value of one of two types is chosen by reading both, and is one of them",
        ["OutputSegment", "EncodingFrame"]: "a text has an innermost value, and a value a text",
        ["Json", "JsonArray", "JsonObject"]: "a value may be an array or an object of values",
        ["Json+Serialization", "JsonPrinter"]: "the printer takes the layout, which is a type inside of the value",
        ["ByteWriter", "ByteWriter+Numbers"]: "one type in two files",
        ["ForeignError", "MappingError", "MappingIssue+DecodingError", "MappingIssue+EncodingError"]:
            "an issue may come of an error that holds issues",
        ["AttemptIdentity", "HTTPBody", "HTTPBody+Chunks", "HTTPResponse", "TransportError"]:
            "both outcomes of an attempt carry its mark, and the error of a body may have a response",
        ["HTTPHeaders", "HTTPHeaders+Name", "HTTPHeaders+Secrets"]: "names are types inside of the headers",
        ["QueryItems", "RouteArgument"]: "an argument can be a query value",
        ["Json+Mapping", "Json+Scalars"]: "a scalar that is not at the hint is read as a value of any type",
        ["Json+EntryLists", "Raw+Collections"]: "a list with an issue log is read by its elements' conformance",
        ["JsonArrayWriter", "JsonObjectWriter", "JsonWritable", "JsonWriter"]:
            "a written value may be an array or an object of written values",
        ["DecodingAttempt", "ValueDecoder+Salvaging"]:
            "elements are read in place by our own decoder, and described as those of any decoder",
        ["ReadAtPath", "ResponseReading", "ResponseStages"]:
            "a reading makes the one of a part, which parses as the whole does",
        ["KeyRecord", "RecordingDecoder"]: "the record names the types whose containers the decoder opens",
        ["CollectedCollection", "Collecting", "CollectingDecoder", "CollectingFrame", "ReadShape"]:
            "a reading for errors goes from a value to its parts by decoders, which note what types request",
        ["CallContext", "CallObserver", "CallRecord", "MappingReport+Call"]:
            "a call's report shows its record, and observers see the call",
        ["CallEvent", "CallMetrics"]: "figures are counted from events, and the last event has them",
        ["CurlEngine", "CurlLoop"]: "the engine starts the thread, which takes the engine's commands",
    ]

    @Test func everyFolderHasItsFloor() throws {
        let rooms = Set(Self.floors.joined())
        let folders = Set(try Self.graph.get().files.map(SourceGraph.room))
        #expect(folders.subtracting(rooms).isEmpty, "rooms without a floor")
        #expect(rooms.subtracting(folders).isEmpty, "floors without a room")
    }

    @Test("the figure of the architecture has the rooms in the order of their floors")
    func theFigureIsRight() throws {
        let article = Compiler.repository.appending(path: "Sources/Bilayer/Bilayer.docc/Architecture.md")
        let figure = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")[1]
        let rooms = figure.split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        let floors = rooms.map { room in
            Self.floors.firstIndex { $0.contains { $0 == room || $0.hasPrefix(room + "/") } } ?? -1
        }
        #expect(floors == floors.sorted(by: >))
        let known = Set(Self.floors.joined().compactMap { $0.split(separator: "/").first.map(String.init) })
        #expect(Set(rooms) == known)
    }

    /// The files on a way that the tables leave out, `Tests/Ways/run` counts.
    @Test("the tables of both ways have at most 25 files, which exist", arguments: ["request", "response"])
    func waysAreShort(way: String) throws {
        let article = Compiler.repository.appending(path: "Sources/Bilayer/Bilayer.docc/Architecture.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## The way of a \(way)\n").last)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        let files = Set(rows.flatMap { $0.matches(of: /`([A-Z]\w+(?:\/[\w+]+)+)`/).map { String($0.1) } })
            .filter { !$0.hasPrefix("Transports/") }
        #expect((15...25).contains(files.count), "\(files.count)")
        let sources = Set(try Self.graph.get().files)
        for file in files { #expect(sources.contains("Sources/Bilayer/\(file).swift"), "\(file)") }
    }

    @Test func everyReferencePointsDown() throws {
        let floorOf = Dictionary(
            uniqueKeysWithValues: Self.floors.enumerated().flatMap { floor, rooms in rooms.map { ($0, floor) } }
        )
        for use in try Self.graph.get().uses {
            let (user, used) = (SourceGraph.room(of: use.user), SourceGraph.room(of: use.used))
            guard user != used, let floor = floorOf[user], let other = floorOf[used] else { continue }
            #expect(
                other < floor,
                "\(use.user) uses \(use.names.sorted().joined(separator: ", ")) of \(use.used), which is not below it"
            )
        }
    }

    @Test func circlesOfFilesAreKnown() throws {
        let found = Set(try Self.graph.get().circlesOfFiles)
        for circle in found {
            #expect(Self.circles[circle] != nil, "a new circle of files: \(circle.sorted().joined(separator: ", "))")
            #expect(circle.count <= 5)
        }
        for circle in Self.circles.keys where !found.contains(circle) {
            Issue.record("there is no such circle any more: \(circle.sorted().joined(separator: ", "))")
        }
    }

    /// Read once for all tests.
    static let graph = Result { SourceGraph(try IndexStore()) }
}
#endif
