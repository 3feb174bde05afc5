/// Makes containers of one type of their boxes.
///
/// The standard library does not promise the size of its containers, so code that is generic over the key type has to
/// look up a container's type for each one it returns. Here the type is a parameter of the class and comes with the
/// object.
final class ContainerFactory<Container> {
    /// The container that consists of the reference at an address.
    ///
    /// **Bound.** There is a reference to the box of a container of this type.
    @unsafe
    @inline(never)
    func container(boxedAt address: UnsafeRawPointer) -> Container {
        unsafe address.assumingMemoryBound(to: Container.self).pointee
    }
}

/// Stands where a container has no holder: its state belongs to the session.
struct NoHolder {}

/// Whether the standard library's keyed containers are what reuse takes them for: one reference to one object.
enum ContainerBox {
    /// Whether a container consists of a reference to an object, and of nothing else.
    static func isReference<Container>(_ container: Container) -> Bool {
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
            let box = Mirror(reflecting: container).children.first?.value, type(of: box) is AnyClass
        else { return false }
        // Bound: both are one word, as just seen.
        return unsafe unsafeBitCast(container, to: UnsafeRawPointer.self)
            == Unmanaged.passUnretained(box as AnyObject).toOpaque()
    }
}
