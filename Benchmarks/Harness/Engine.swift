/// A way from bytes to values or back. Tables and files use its raw value as its name.
enum Engine: String, Codable, CaseIterable {
    /// Foundation's JSONDecoder and JSONEncoder with Codable. A few cases use JSONSerialization or URLSession. The
    /// other engines are compared with this one.
    case foundation
    /// Bilayer with Codable. In most cases the types are the same as Foundation's.
    case bilayerCodable = "bilayer-codable"
    /// Bilayer with mappings over Json written by hand, or Json alone. In the mapping suite, also the step from entries
    /// to models, and code without Bilayer's tools.
    case bilayerDirect = "bilayer-direct"
    /// JSONSerialization to objects, then to data again, then JSONDecoder.
    case jsonSerializationRoundTrip = "jsonserialization-roundtrip"
    /// The four stages of a client, from bytes to Json to entries to models. Its transport responds at once, except in
    /// the network suite.
    case bilayerChain = "bilayer-chain"
    /// A client with URLSessionTransport. On Apple platforms that is the default transport, too.
    case bilayerURLSession = "bilayer-urlsession"
    /// The stages of a client over a response that arrives in chunks. Its elements are mapped one by one.
    case bilayerStream = "bilayer-stream"
    /// An empty function that leaves the caller's actor and returns to it: the least cost of any call that leaves the
    /// actor.
    case emptyHop = "empty-hop"
    /// The chain called from a function that has already left the caller's actor: the cost of a call that leaves it
    /// only once.
    case oneHop = "one-hop"
    /// Bilayer with Codable, without one of the optimizations of its coders.
    case withoutKeyTables = "without-key-tables"
    case withoutContainerReuse = "without-container-reuse"
    case withoutDirectCollections = "without-direct-collections"
    case withoutPathsInIndex = "without-paths-in-index"
    /// Bilayer with Codable, under the policy that drops elements which cannot be read.
    case salvaging
    /// Bilayer with Codable and a client's conventions. In the rows `formatted`, formats at the fields replace these.
    case conventions
}
