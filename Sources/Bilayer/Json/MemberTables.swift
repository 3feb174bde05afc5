import Foundation

/// Tables of where members stand, for large objects of a parsed text in which keys are looked up again and again. Looking through a
/// hundred members takes about as long as asking the table; the table costs a string for each key.
struct MemberTables {
    private var tables: [Int: Table] = [:]

    private enum Table {
        /// How often somebody looked up a key.
        case awaited(Int)
        case built([JsonKey: Int])
    }

    /// Members from which on a table may be worth it.
    static let smallestObject = 128
    /// The look-up that builds it.
    private static let patience = 8

    /// The position of a member's value, if there is a table for the object now.
    /// - Parameters:
    ///   - key: The member's key.
    ///   - object: The object's position.
    ///   - build: Makes the table.
    /// - Returns: Nil without a table; in it, nil without such a member.
    mutating func member(_ key: String, of object: Int, build: () -> [JsonKey: Int]) -> Int?? {
        switch tables[object] {
        case .built(let positions): return .some(positions[JsonKey(text: key)])
        case .awaited(let count) where count >= Self.patience:
            let positions = build()
            tables[object] = .built(positions)
            return .some(positions[JsonKey(text: key)])
        case .awaited(let count): tables[object] = .awaited(count + 1)
        case nil: tables[object] = .awaited(1)
        }
        return nil
    }
}
