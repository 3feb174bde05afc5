/// Something with a path that begins at a value that was read: an issue, or the lost elements of an array.
protocol Placed {
    /// The path relative to the value that was read.
    var localPath: JsonPath { get set }
    /// The value at which ``localPath`` begins, if it is known.
    var origin: Json? { get set }
}

extension Placed {
    /// Prepends `path`.
    mutating func prefixPath(by path: JsonPath) {
        localPath = localPath.prefixed(by: path)
        if !path.isRoot { origin = nil }
    }

    /// Sets the origin to the value that was read. If there already is an origin inside this value, the code has kept a
    /// part of the value and read it later, so the path from the value to this part is prepended.
    mutating func setOriginOfPath(_ value: Json) {
        guard case .view = value.storage else { return }
        if let path = origin.flatMap(value.path(toInner:)) {
            localPath = localPath.prefixed(by: path.withUndeclaredKeys)
            origin = nil
        }
        if origin == nil, value.isPartOfText { origin = value }
    }

    /// The path of the origin in its document.
    var pathOfOrigin: JsonPath? { origin?.pathInDocument?.withUndeclaredKeys }
}

extension JsonPath {
    /// The path of a value in a text. Whether its keys are declared names or data is unknown, so they become `.entry`
    /// components, which descriptions do not show.
    fileprivate var withUndeclaredKeys: JsonPath {
        JsonPath(components.map { component in component.key.map { .entry($0) } ?? component })
    }
}
