/// A value that can contain secrets or payload values, and whose description omits them.
///
/// Every public type that can contain such values conforms, except types for payload values, such as ``Json``. `print`,
/// `debugPrint`, `String(reflecting:)`, string interpolation, `dump` and `Mirror` show only ``description``. A
/// conforming type needs no further code, and can have a ``description`` of its own.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The name of the type, unless the type implements a description of its own.
    public var description: String { typeName(Self.self) }

    /// Equal to ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
