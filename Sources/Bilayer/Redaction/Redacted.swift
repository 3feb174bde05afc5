/// A value that can hold secrets or payload, and whose texts leave them out.
///
/// Every public type that holds anything of a call conforms: `print`, `debugPrint`, `String(reflecting:)`, string
/// interpolation, `dump` and `Mirror` give ``description`` and nothing else. A conforming type only says what its
/// description is.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
