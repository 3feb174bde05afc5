/// Element-wise mapping for the default conformances of both layers: the index or key of a failing element goes in front of
/// its error's path, and a cancelled task stops between elements.
extension Collection {
    func mapElements<Mapped>(_ transform: (Element) throws -> Mapped) throws -> [Mapped] {
        var result: [Mapped] = []
        result.reserveCapacity(count)
        for element in self {
            do {
                if result.count % elementsBetweenCancellationChecks == 0 { try Task.checkCancellation() }
                result.append(try transform(element))
            } catch {
                throw MappingError.located(error, at: .index(result.count))
            }
        }
        return result
    }
}

extension Dictionary where Key: CodingKeyRepresentable {
    func mapMembers<Mapped>(_ transform: (Value) throws -> Mapped) throws -> [Key: Mapped] {
        var result = [Key: Mapped](minimumCapacity: count)
        for (key, value) in self {
            do {
                if result.count % elementsBetweenCancellationChecks == 0 { try Task.checkCancellation() }
                result[key] = try transform(value)
            } catch {
                throw MappingError.located(error, at: .key(key.codingKey.stringValue))
            }
        }
        return result
    }
}

/// A look at the task costs some nanoseconds, an element some hundred: one look for this many is not seen.
let elementsBetweenCancellationChecks = 64

/// A coding key that is just a name.
struct NamedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}
