#if os(Linux)
/// The descriptors on which libcurl waits for bytes. libcurl reports each change. Only the engine's thread uses this
/// object.
final class CurlReads {
    private var descriptors: Set<Int32> = []

    func contains(_ descriptor: Int32) -> Bool { descriptors.contains(descriptor) }

    /// Takes a change.
    /// - Parameters:
    ///   - events: What libcurl now waits for: 1 is bytes to read, 2 room to write, 3 both, and 4 nothing more.
    ///   - descriptor: The descriptor.
    func record(_ events: Int32, on descriptor: Int32) {
        if events == 1 || events == 3 {
            descriptors.insert(descriptor)
        } else {
            descriptors.remove(descriptor)
        }
    }
}
#endif
