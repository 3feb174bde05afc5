/// The optimizations of the coders. Each can be disabled, to measure its gain and to test the results without it.
/// Optimizations affect speed only. A session is reused for the next call only if all are enabled.
package struct CoderOptimizations: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each session converts the names of a type's keys to bytes once.
    package static let keyTables = CoderOptimizations(rawValue: 1)
    /// The standard library's box around a keyed container is used again for the next object.
    package static let containerReuse = CoderOptimizations(rawValue: 2)
    /// Arrays, optionals and common scalars are read and written without their own `Codable` conformances. Dictionaries
    /// with `String` keys are always read and written in this way, whether or not this optimization is enabled.
    package static let directCollections = CoderOptimizations(rawValue: 4)
    /// The values of keys with paths (``PathCodingKey``) are found in the index, without a decoder for each step.
    package static let pathsInIndex = CoderOptimizations(rawValue: 8)

    // The value is made from a literal, so that it is a constant and needs no lazy initialization.
    package static let all = CoderOptimizations(rawValue: 15)
}
