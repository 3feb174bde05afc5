/// An entry with its own rule for keys that it does not read. The rule overrides the policy of the call.
///
/// ```swift
/// struct ConsentEntry: Codable, RawMappable, ChecksUnknownKeys {
///     static let unknownKeys = MappingPolicy.UnknownKeys.fail
///     let accepted: Bool
/// }
/// ```
/// Choose it for few types, because a reading that checks for unknown keys takes about twice as long, and longer in
/// deeply nested values: the time grows with the number of objects times their depth. For whole calls choose
/// ``MappingPolicy/unknownKeys``. For entries that are read by hand choose ``Json/expectOnly(_:unknownKeys:)``.
///
/// The check covers the entry and all values inside it that are read by their `Codable` conformance, at any depth. For
/// a value that is read by hand (``DecodableByHand``, ``Discriminated``), the policy of the call applies instead. Types
/// that accept all keys, such as dictionaries and ``Json``, have no unknown keys. The entries in a dictionary are
/// checked.
///
/// A type's own rule applies if its `from(raw:)` is called, also for the elements or members of a collection. Inside
/// another `Codable` entry, the rule applies only if that entry is checked, too. A policy that salvages
/// or collects errors also checks entries with errors. Values that are left out are not checked. Neither is a nested
/// container in which the last reading has failed, because the type may have discarded that container.
public protocol ChecksUnknownKeys: SendableMetatype {
    /// The rule for keys that the type does not read.
    static var unknownKeys: MappingPolicy.UnknownKeys { get }
}
