/// Reads the value of a property whose path differs from its name. The issues and the error of the value get the
/// property's name.
func namingProperty<Value>(
    _ property: String,
    at path: @autoclosure () -> JsonPath,
    _ read: () throws -> Value
) throws -> Value {
    try placing(read) { log, mark in
        let path = path()
        log.rewrite(since: mark) { $0.nameProperty(property, at: path) }
    } error: { error in
        guard let error = error as? MappingError else { return error }
        let path = path()
        return error.updatingIssues { $0.nameProperty(property, at: path) }
    }
}
