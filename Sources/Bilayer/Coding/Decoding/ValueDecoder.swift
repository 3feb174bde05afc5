import Foundation

/// The argument of a type's `init(from:)`: a decoder for one value. The decoder is also the single-value container for
/// this value.
///
/// One object serves one value after another, as long as user code does not retain it. If user code retains a decoder
/// longer, the decoder gets a ``Detachment``, which owns everything it uses (``detach()``). The decoder is a class
/// instance, so that its reference count shows whether user code retains it.
final class ValueDecoder {
    let state: DecoderState
    private(set) var detachment: Detachment?

    private let keySource: CodingKeySource?

    /// Makes a decoder.
    /// - Parameters:
    ///   - state: The state with the value's position.
    ///   - keySource: The source of the last key of the coding path, if nothing else retains it.
    init(_ state: DecoderState, holding keySource: CodingKeySource? = nil) {
        self.state = state
        self.keySource = keySource
    }

    deinit { state.deallocate() }

    /// Makes the decoder independent of its call. It then owns the document, the settings and its path.
    func detach() {
        let detachment = Detachment(state.context, path: state.path)
        state.move(to: detachment)
        self.detachment = detachment
    }

    /// Makes a decoder that decodes `null`, for a missing value.
    static func forNull(_ settings: JsonDecoder, path: [any CodingKey]) -> ValueDecoder {
        let detachment = Detachment(ofNull: settings, path: path)
        let decoder = ValueDecoder(DecoderState(detachment.context, 0, detachment.node))
        decoder.detachment = detachment
        return decoder
    }
}

/// The position and the coding path of a ``ValueDecoder``. It is plain memory, so that reading needs no exclusivity
/// checks and no reference counting.
///
/// **Bound.** The memory belongs to one decoder, which frees the memory when the decoder is deallocated. Containers
/// made from a decoder either retain the decoder or are released when the decoder's value is made.
@safe
struct DecoderState {
    @safe
    private struct Target {
        var context: DecodingContext
        var position: Int
        var nextChild: Unmanaged<ValueDecoder>?
    }

    private let target: UnsafeMutablePointer<Target>
    private let nodeStorage: UnsafeMutablePointer<CodingPathNode>

    init(_ context: DecodingContext, _ position: Int, _ node: CodingPathNode) {
        unsafe target = .allocate(capacity: 1)
        unsafe target.initialize(to: Target(context: context, position: position, nextChild: nil))
        unsafe nodeStorage = .allocate(capacity: 1)
        unsafe nodeStorage.initialize(to: node)
    }

    func deallocate() {
        unsafe target.deallocate()
        unsafe nodeStorage.deallocate()
    }

    /// Points the state at another value of the document.
    @inline(__always)
    func reset(to position: Int, _ node: CodingPathNode) {
        unsafe target.pointee.position = position
        unsafe nodeStorage.pointee = node
    }

    /// Replaces the context and the coding path by the context and the coding path of a detachment. The position does
    /// not change.
    func move(to detachment: Detachment) {
        unsafe target.pointee.context = detachment.context
        unsafe nodeStorage.pointee = detachment.node
    }

    @inline(__always)
    var context: DecodingContext { unsafe target.pointee.context }
    @inline(__always)
    var position: Int { unsafe target.pointee.position }
    @inline(__always)
    var node: CodingPathNode { unsafe nodeStorage.pointee }
    /// The address of ``node``, to which the paths of inner values point.
    @inline(__always)
    var nodePointer: UnsafePointer<CodingPathNode> { unsafe UnsafePointer(nodeStorage) }

    /// Returns the coding path of an element. The value must be an array.
    @inline(__always)
    func node(ofElement index: Int) -> CodingPathNode { unsafe CodingPathNode(in: nodePointer, index: index) }

    var nextChild: Unmanaged<ValueDecoder>? {
        get { unsafe target.pointee.nextChild }
        nonmutating set { unsafe target.pointee.nextChild = newValue }
    }

    /// The keys that lead to the value.
    var path: [any CodingKey] { node.path(in: context.nodes) }
}

/// The owner of everything that a *detached* decoder or container uses: the document, the settings and the path. A
/// decoder or container is detached if user code retains it after its value is made. The document, the settings and the
/// path never change, so several tasks may share a detachment.
@safe
// Sendable: the storage is written by `init` and never again; keys are only read.
final class Detachment: @unchecked Sendable {
    private let storage: UnsafeMutablePointer<DecodingContext.Storage>
    private let document: JsonDocument?
    private let settings: UnsafeMutablePointer<JsonDecoder>
    private let base: CodingPathBase
    private let nodeStorage: UnsafeMutablePointer<CodingPathNode>

    /// Makes a detachment with the document and the settings of a context.
    convenience init(_ context: DecodingContext, path: [any CodingKey]) {
        self.init(
            context.nodes,
            context.document,
            context.settings,
            needsSpecialLookup: context.needsSpecialLookup,
            path: path
        )
    }

    /// Makes a detachment for a value that is not in the document.
    convenience init(ofNull settings: JsonDecoder, path: [any CodingKey]) {
        self.init(JsonDocument.null.nodes, .null, settings, needsSpecialLookup: false, path: path)
    }

    private init(
        _ nodes: JsonNodes,
        _ document: JsonDocument?,
        _ settings: JsonDecoder,
        needsSpecialLookup: Bool,
        path: [any CodingKey]
    ) {
        self.document = document
        unsafe self.settings = .allocate(capacity: 1)
        unsafe self.settings.initialize(to: settings)
        base = CodingPathBase(path)
        unsafe nodeStorage = .allocate(capacity: 1)
        unsafe nodeStorage.initialize(to: CodingPathNode(base: base))
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(
            to: .init(
                nodes: nodes,
                document: document.map { unsafe .passUnretained($0) },
                settings: UnsafePointer(self.settings),
                isDetached: true,
                needsSpecialLookup: needsSpecialLookup,
                decoders: .allocate(capacity: 1),
                capacity: 0
            )
        )
    }

    deinit {
        unsafe storage.pointee.destroy()
        unsafe storage.deinitialize(count: 1)
        unsafe storage.deallocate()
        unsafe nodeStorage.deallocate()
        unsafe settings.deinitialize(count: 1)
        unsafe settings.deallocate()
    }

    /// The handle to the storage. The handle is valid as long as this object exists.
    var context: DecodingContext { unsafe DecodingContext(storage) }
    /// The coding path. The node is valid as long as this object exists.
    var node: CodingPathNode { CodingPathNode(base: base) }
    /// The address of ``node``, to which the paths of inner values point.
    var nodePointer: UnsafePointer<CodingPathNode> { unsafe UnsafePointer(nodeStorage) }
}

extension JsonDocument {
    /// The text `null`.
    static let null = JsonDocument.parse(trusted: Data("null".utf8))
}
