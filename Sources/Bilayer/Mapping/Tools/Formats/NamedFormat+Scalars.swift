public import Foundation

// Scalars name their strict format, for ``Quoted``, ``Lenient`` and ``OneOrMany``.

extension Bool: NamedFormat {}
extension String: NamedFormat {}
extension Double: NamedFormat {}
extension Float: NamedFormat {}
extension Decimal: NamedFormat {}
extension Int: NamedFormat {}
extension Int8: NamedFormat {}
extension Int16: NamedFormat {}
extension Int32: NamedFormat {}
extension Int64: NamedFormat {}
extension UInt: NamedFormat {}
extension UInt8: NamedFormat {}
extension UInt16: NamedFormat {}
extension UInt32: NamedFormat {}
extension UInt64: NamedFormat {}
extension Json: NamedFormat {}
