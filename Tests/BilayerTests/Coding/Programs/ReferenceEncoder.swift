import Foundation

// A simple encoder: it makes a tree of values, and a value whose writing fails is removed from the tree.

/// One value of the tree.
final class ReferenceNode {
    enum Form {
        case nothing
        /// A token, as it is spelled.
        case token(String)
        /// The value of another node, which was written through a single-value container.
        case same(ReferenceNode)
        case array
        case object
    }

    var form = Form.nothing
    /// Whether the value was misused in a way that the encoder reports at the end of the call.
    var isMisused = false
    /// Whether it was requested as a nested container.
    let isNested: Bool
    private var members: [(key: String, node: ReferenceNode)] = []

    init(isNested: Bool = false) { self.isNested = isNested }

    /// Adds an element, or a member.
    func add(_ node: ReferenceNode, _ key: String = "") { members.append((key, node)) }

    func remove(_ node: ReferenceNode) { members.removeAll { $0.node === node } }

    /// What was added last for a key.
    func member(_ key: String) -> ReferenceNode? { members.last { $0.key == key }?.node }

    var count: Int { members.count }

    /// Whether the value or one inside is misused.
    var hasMisuse: Bool {
        if case .same(let node) = form, node.hasMisuse { return true }
        return isMisused || members.contains { $0.node.hasMisuse }
    }

    var text: String {
        switch form {
        case .nothing: return "{}"
        case .token(let text): return text
        case .same(let node): return node.text
        case .array: return "[" + members.map(\.node.text).joined(separator: ",") + "]"
        case .object:
            let last = Dictionary(members.map { ($0.key, $0.node) }) { _, last in last }
            return "{" + last.map { key, node in "\"\(key)\":\(node.text)" }.joined(separator: ",") + "}"
        }
    }
}

/// The state that all encoders of one encoding share.
final class ReferenceCall {
    let userInfo: [CodingUserInfoKey: Any]
    let convertsKeys: Bool
    let writesNonConforming: Bool
    /// Whether something was done that ends the process with Foundation.
    var isFatal = false

    init(_ program: EncodingProgram, _ machine: ProgramMachine) {
        userInfo = [.machine: machine]
        convertsKeys = program.convertsKeys
        writesNonConforming = program.writesNonConforming
    }

    func name(_ key: any CodingKey) -> String {
        convertsKeys && key.stringValue == "firstName" ? "first_name" : key.stringValue
    }

    /// Writes the value that the call is for.
    func writeRoot(_ value: ProgramValue, _ node: ReferenceNode) throws {
        try value.encode(to: ReferenceEncoder(self, node))
        if case .nothing = node.form { throw ProgramFailure() }
    }

    /// Writes a value into an empty node.
    func write<Value: Encodable>(_ value: Value, _ node: ReferenceNode) throws {
        defer {
            // A value that has written nothing becomes an empty object.
            if case .nothing = node.form { node.form = .token("{}") }
        }
        let encoder = ReferenceEncoder(self, node)
        switch value {
        case let value as Date: try ProgramValue.encode(date: value, to: encoder)
        case let value as Double: node.form = .token(try token(value))
        case let value as Int: node.form = .token("\(value)")
        case let value as String: node.form = .token("\"\(value.replacingOccurrences(of: "\"", with: "\\\""))\"")
        case let value as [String: ProgramValue]:
            node.form = .object
            for (key, value) in value {
                let member = ReferenceNode()
                try write(value, member)
                node.add(member, key)
            }
        default: try value.encode(to: encoder)
        }
    }

    private func token(_ value: Double) throws -> String {
        if value.isFinite { return "\(value)" }
        if !writesNonConforming { throw ProgramFailure() }
        return value.isNaN ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\""
    }

    func misuse(_ node: ReferenceNode) {
        node.isMisused = true
        isFatal = true
    }
}

struct ReferenceEncoder: Encoder, SingleValueEncodingContainer {
    let call: ReferenceCall
    let node: ReferenceNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { call.userInfo }

    init(_ call: ReferenceCall, _ node: ReferenceNode) { (self.call, self.node) = (call, node) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch node.form {
        case .nothing: node.form = .object
        case .object: break
        default: call.misuse(node)
        }
        return KeyedEncodingContainer(ReferenceKeyed<Key>(call: call, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch node.form {
        case .nothing: node.form = .array
        case .array: break
        default: call.misuse(node)
        }
        return ReferenceUnkeyed(call: call, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try set { $0.form = .token("null") } }

    func encode<Value: Encodable>(_ value: Value) throws { try set { try call.write(value, $0) } }

    private func set(_ write: (ReferenceNode) throws -> Void) throws {
        guard case .nothing = node.form else {
            call.isFatal = true
            throw ProgramFailure()
        }
        let value = ReferenceNode()
        node.form = .same(value)
        do {
            try write(value)
        } catch {
            node.form = .nothing
            throw error
        }
    }
}

private struct ReferenceKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let call: ReferenceCall
    let node: ReferenceNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        let value = ReferenceNode()
        value.form = .token("null")
        node.add(value, call.name(key))
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let member = ReferenceNode()
        node.add(member, call.name(key))
        do {
            try call.write(value, member)
        } catch {
            node.remove(member)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        ReferenceEncoder(call, nested(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ReferenceEncoder(call, nested(key)).unkeyedContainer()
    }

    private func nested(_ key: Key) -> ReferenceNode {
        let known = node.member(call.name(key))
        if let known, known.isNested { return known }
        if known != nil { call.misuse(node) }
        let nested = ReferenceNode(isNested: true)
        node.add(nested, call.name(key))
        return nested
    }

    func superEncoder() -> any Encoder { further("super") }

    func superEncoder(forKey key: Key) -> any Encoder { further(call.name(key)) }

    private func further(_ name: String) -> any Encoder {
        let value = ReferenceNode()
        node.add(value, name)
        return ReferenceEncoder(call, value)
    }
}

private struct ReferenceUnkeyed: UnkeyedEncodingContainer {
    let call: ReferenceCall
    let node: ReferenceNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() throws {
        let value = ReferenceNode()
        value.form = .token("null")
        node.add(value)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let element = ReferenceNode()
        node.add(element)
        do {
            try call.write(value, element)
        } catch {
            node.remove(element)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        further().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { further().unkeyedContainer() }

    func superEncoder() -> any Encoder { further() }

    private func further() -> ReferenceEncoder {
        let element = ReferenceNode()
        node.add(element)
        return ReferenceEncoder(call, element)
    }
}
