/// Makes containers of one type from their boxes.
///
/// The standard library does not promise the size of its containers. Code that is generic over the key type therefore
/// looks up the container's type at each return. Here the class has the type as its parameter, so no look-up is needed.
final class ContainerFactory<Container> {
    /// The container that consists of the reference at an address.
    ///
    /// **Bound.** The address holds a reference to the box of a container of this type.
    @unsafe
    @inline(never)
    func container(boxedAt address: UnsafeRawPointer) -> Container {
        unsafe address.assumingMemoryBound(to: Container.self).pointee
    }
}

/// The holder of a container whose state belongs to the session.
struct NoHolder {}

/// Whether the standard library's keyed containers have the layout that reuse relies on: one reference to one object.
enum ContainerBox {
    /// Whether a container consists of exactly one reference to an object.
    static func isReference<Container>(_ container: Container) -> Bool {
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
            let box = Mirror(reflecting: container).children.first?.value, type(of: box) is AnyClass
        else { return false }
        // Bound: both are one word, by the guard above.
        return unsafe unsafeBitCast(container, to: UnsafeRawPointer.self)
            == Unmanaged.passUnretained(box as AnyObject).toOpaque()
    }
}
