/// An entry with its own rule for keys that it does not read, which overrides the policy of the call.
///
/// ```swift
/// struct ConsentEntry: Codable, RawMappable, ChecksUnknownKeys {
///     static let unknownKeys = MappingPolicy.UnknownKeys.fail
///     let accepted: Bool
/// }
/// ```
/// Choose it for few types, because checking for unknown keys takes about twice the time of reading. For whole calls
/// choose ``MappingPolicy/unknownKeys``, for entries read by hand ``Json/expectOnly(_:unknownKeys:)``.
///
/// The check covers objects at any depth whose types are `Codable` and are read with the entry. Types that accept all
/// keys, such as dictionaries and ``Json``, have no unknown keys. The entries in a dictionary are checked.
///
/// A type's own rule applies when it is read by itself or as an element of an array. Inside another entry it applies
/// only if that entry is checked, too. A policy that salvages or collects also checks entries with errors. Values that
/// are left out are not checked.
public protocol ChecksUnknownKeys: SendableMetatype {
    /// The rule for keys that the type does not read.
    static var unknownKeys: MappingPolicy.UnknownKeys { get }
}
