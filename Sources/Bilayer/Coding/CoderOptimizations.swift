/// The optimizations that make the coders fast, each with a switch, so that its gain can be measured and everything can
/// be shown to be right without it. Nothing but speed depends on them. A session is kept for the next call only if all
/// are on.
package struct CoderOptimizations: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Names of keys are turned into bytes once per type.
    package static let keyTables = CoderOptimizations(rawValue: 1)
    /// The standard library's box around a keyed container is used again for the next object.
    package static let containerReuse = CoderOptimizations(rawValue: 2)
    /// Arrays, dictionaries and optionals are filled without their own `Codable` conformances.
    package static let directCollections = CoderOptimizations(rawValue: 4)

    // By its number, so that it is a constant and needs no check of whether it is there yet.
    package static let all = CoderOptimizations(rawValue: 7)
}
