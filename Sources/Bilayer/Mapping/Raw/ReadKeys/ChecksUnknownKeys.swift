/// An entry with its own rule for keys that it does not read. The rule overrides the policy of the call.
///
/// ```swift
/// struct ConsentEntry: Codable, RawMappable, ChecksUnknownKeys {
///     static let unknownKeys = MappingPolicy.UnknownKeys.fail
///     let accepted: Bool
/// }
/// ```
/// Choose it for few types, because a reading that checks for unknown keys takes about twice as long. For whole calls
/// choose ``MappingPolicy/unknownKeys``. For entries that are read by hand choose ``Json/expectOnly(_:unknownKeys:)``.
///
/// The check covers the entry and all values of `Codable` types inside it, at any depth. Types that accept all keys,
/// such as dictionaries and ``Json``, have no unknown keys. The entries in a dictionary are checked.
///
/// A type's own rule applies if the type is read by itself, or as an element or a member of a collection that is not
/// inside an entry. Inside another entry, the rule applies only if that entry is checked, too. A policy that salvages
/// or collects errors also checks entries with errors. Values that are left out are not checked. Neither is a nested
/// container in which the last reading has failed, because the type may have discarded that container.
public protocol ChecksUnknownKeys: SendableMetatype {
    /// The rule for keys that the type does not read.
    static var unknownKeys: MappingPolicy.UnknownKeys { get }
}
