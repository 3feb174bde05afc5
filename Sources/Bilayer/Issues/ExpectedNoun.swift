/// The expected value of a type, as a noun phrase for errors: containers have their JSON names.
func expectedNoun(_ type: Any.Type) -> String {
    switch type {
    case is any KeyedContainerType.Type: "an object"
    case is (any UnkeyedDecodingContainer).Type: "an array"
    case is (any Decoder).Type: "a value"
    default: typeName(type)
    }
}

/// Names the generic container types in one word.
private protocol KeyedContainerType {}
extension KeyedDecodingContainer: KeyedContainerType {}
