/// An entry that says itself what becomes of keys that it does not read, whatever the policy of the call says.
///
/// ```swift
/// struct ConsentEntry: Codable, RawMappable, ChecksUnknownKeys {
///     static let unknownKeys = MappingPolicy.UnknownKeys.fail
///     let accepted: Bool
/// }
/// ```
/// Choose it for few types: looking for unknown keys takes about twice the time of reading. For whole calls choose
/// ``MappingPolicy/unknownKeys``, for entries read by hand ``Json/expectOnly(_:unknownKeys:)``.
///
/// What is seen, and what is not: objects at any depth are checked whose types are `Codable` and are read with the
/// entry. A type that takes all keys, as dictionaries and ``Json`` do, knows them all; dictionaries are not looked into
/// where keys have a naming. A type's own choice counts where it is read by itself or as an element of an array, and
/// inside of another entry only if that one is checked, too. A policy that salvages or collects looks for them in
/// entries with errors as well, except inside what had to be left out.
public protocol ChecksUnknownKeys: SendableMetatype {
    /// What becomes of keys that the type does not read.
    static var unknownKeys: MappingPolicy.UnknownKeys { get }
}
