/// Returns a noun phrase for a value of a type, for errors. Decoding containers have their JSON names.
func expectedNoun(_ type: Any.Type) -> String {
    switch type {
    case is any KeyedContainerType.Type: "an object"
    case is (any UnkeyedDecodingContainer).Type: "an array"
    case is (any Decoder).Type: "a value"
    default: typeName(type)
    }
}

/// Matches `KeyedDecodingContainer` with any key type in one cast.
private protocol KeyedContainerType {}
extension KeyedDecodingContainer: KeyedContainerType {}
