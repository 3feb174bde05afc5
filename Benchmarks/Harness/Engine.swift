/// A way from bytes to values or back, as it is named in every table and file.
enum Engine: String, Codable, CaseIterable {
    /// Foundation's JSONDecoder and JSONEncoder with synthesized Codable: what the others are compared with.
    case foundation
    /// Bilayer behind the same synthesized Codable.
    case bilayerCodable = "bilayer-codable"
    /// Bilayer with mappings written by hand over Json, or Json alone.
    case bilayerDirect = "bilayer-direct"
    /// JSONSerialization to objects, objects to data, data through JSONDecoder.
    case jsonSerializationRoundTrip = "jsonserialization-roundtrip"
    /// A client's four stages over a transport that answers at once: bytes to Json to entries to models.
    case bilayerChain = "bilayer-chain"
    /// The same over URLSessionTransport, where a client's default is another one.
    case bilayerURLSession = "bilayer-urlsession"
    /// A client's stages over a response that arrives in chunks: element by element.
    case bilayerStream = "bilayer-stream"
    /// An empty function that leaves the caller's actor, and the way back: what any call off the actor takes at least.
    case emptyHop = "empty-hop"
    /// The chain within one function that has left the caller's actor: what a call takes that leaves it exactly once.
    case oneHop = "one-hop"
    /// Bilayer behind Codable, without one of the optimizations of its coders.
    case withoutKeyTables = "without-key-tables"
    case withoutContainerReuse = "without-container-reuse"
    case withoutDirectCollections = "without-direct-collections"
    /// Bilayer behind Codable, under the policy that leaves out what cannot be read.
    case salvaging
    /// Bilayer behind Codable, with a client's conventions.
    case conventions
}
