/// One JSON value of any type: object, array, string, number, bool or null.
///
/// A parsed `Json` is a view: it refers to the received bytes and to an index over them. Strings, numbers and
/// containers are made when they are read. A part, such as `order["items"]`, copies no bytes and retains the whole
/// text. A `Json` that was changed or made in code stores its members itself. Received parts inside it stay views.
///
/// ```swift
/// var order = try Json(parsing: #"{"id": 7, "items": [{"sku": "A-1", "price": 9.90}]}"#)
/// print(order["id"]?.int ?? 0)                             // 7
/// print(order.path("items[0].price")?.decimal ?? 0)        // 9.9
/// order["note"] = "ring twice"
/// print(order)      // {"id":7,"items":[{"sku":"A-1","price":9.90}],"note":"ring twice"}
/// ```
///
/// **Numbers** of a parsed text keep their spelling: 64-bit integers and decimals never pass through a `Double`.
/// **Keys** keep their order and are compared by their bytes, as RFC 8259 §8.3 describes. Therefore `"é"` as one scalar
/// and as two scalars are different keys, although Swift's `String` treats them as equal. **Equality** compares values:
/// members in any order, numbers by their exact value (`1 == 1.0 == 1e0`).
///
/// Choose `Json` if the shape is not known in advance, or if only a few fields of a large response matter. A
/// ``RawDecodable`` type that is read by hand also receives its raw value as a `Json`.
public struct Json: Sendable {
    @usableFromInline var storage: Storage

    /// The storage of a value.
    @usableFromInline
    enum Storage: Sendable {
        /// The value at an index position of a parsed text.
        case view(JsonDocument, Int)
        /// A text written by this library, indexed when it is first read.
        case written(WrittenJson)
        case null
        case bool(Bool)
        case integer(Int64)
        case double(Double)
        /// The text of a number (RFC 8259 §6), for example of a `Decimal`, or of an integer that does not fit `Int64`.
        case number(String)
        case string(String)
        case array(JsonArray)
        case object(JsonObject)
    }

    /// The six types of JSON values.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Members with keys, `{…}`.
        case object
        /// Elements in order, `[…]`.
        case array
        /// Text.
        case string
        /// A number of any size and precision.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    @inlinable
    init(_ storage: Storage) { self.storage = storage }

    /// Makes a view of the root of a parsed text.
    init(document: JsonDocument) { storage = .view(document, 0) }

    /// The value `null`.
    public static let null = Json(.null)

    /// The storage, with a written text replaced by its parsed form.
    var resolved: Storage {
        if case .written(let text) = storage { return .view(text.document, 0) }
        return storage
    }

    /// The type of this value.
    public var kind: Kind {
        switch resolved {
        case .view(let document, let position): document.withNodes { $0.tag(at: position).kind }
        case .null: .null
        case .bool: .bool
        case .integer, .double, .number: .number
        case .string: .string
        case .array: .array
        case .object, .written: .object
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The number of elements or members; 0 for scalars.
    public var count: Int {
        switch resolved {
        case .view(let document, let position):
            document.withNodes { $0.tag(at: position).isContainer ? $0.words.memberCount(at: position) : 0 }
        case .array(let array): array.elements.count
        case .object(let object): object.count
        default: 0
        }
    }
}

extension IndexWord.Tag {
    /// The public case for the type of the value.
    var kind: Json.Kind {
        switch self {
        case .null: .null
        case .true, .false: .bool
        case .array: .array
        case .object: .object
        default: isNumber ? .number : .string
        }
    }
}

extension Json {
    /// Calls `body` with the value at another position of this value's parsed text. No reference is counted if
    /// ``canBorrowParts`` is true.
    ///
    /// If `body` stores the value, the stored copy retains the document as usual.
    ///
    /// **Bound.** This value is a view and outlives the call. It retains the document, so the document outlives the
    /// call, too.
    @inlinable
    @inline(__always)
    func withBorrowedPart<Result>(at position: Int, _ body: (Json) throws -> Result) throws -> Result {
        guard Self.canBorrowParts else { return try body(part(at: position)) }
        defer { withExtendedLifetime(self) {} }
        var bits = unsafe withUnsafePointer(to: self) { unsafe UnsafeRawPointer($0).load(as: ViewBits.self) }
        bits.position = position
        return try unsafe withUnsafePointer(to: bits) { bits in
            try unsafe bits.withMemoryRebound(to: Borrowed<Json>.self, capacity: 1) { try unsafe $0.pointee.use(body) }
        }
    }

    /// Returns the value at another position of the same parsed text; `null` if this value is not a view.
    @usableFromInline
    func part(at position: Int) -> Json {
        guard case .view(let document, _) = storage else { return .null }
        return Json(.view(document, position))
    }

    /// Whether two views of one document differ only in the word of the position. The size of `Json` shows this. The
    /// flag `-D BILAYER_COUNTED_REFERENCES` makes this property false, for tests and to measure the gain of borrowing.
    @inlinable
    @inline(__always)
    static var canBorrowParts: Bool {
        #if BILAYER_COUNTED_REFERENCES
        return false
        #else
        return MemoryLayout<Json>.size == MemoryLayout<ViewBits>.size
        #endif
    }

    /// The bits of a view: the reference to the document, the position, and the case of the storage.
    @usableFromInline
    struct ViewBits {
        @usableFromInline let document: UInt
        @usableFromInline var position: Int
        @usableFromInline let storageCase: UInt8
    }
}

extension Json: CustomReflectable {
    /// A mirror without children: `dump` shows the JSON, not the storage of the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
