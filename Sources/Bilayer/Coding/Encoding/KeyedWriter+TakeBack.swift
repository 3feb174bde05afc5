extension KeyedWriter {
    /// Takes a container back when the frame that handed it out ends.
    /// - Parameter isSurplus: Whether enough containers are kept for the next frame.
    func takeBack(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
        if isFree, unsafe state.pointee.isReused, let home = unsafe state.pointee.home {
            if isSurplus { return deallocate() }
            if unsafe state.pointee.lentKey != nil { unsafe state.pointee.lentKey = nil }
            unsafe state.pointee.next = home.pointee.idle
            unsafe home.pointee.idle = state
            return
        }
        unsafe state.pointee.next = nil
        if !isFree { unsafe state.pointee.heldEncoder = state.pointee.encoder.takeUnretainedValue() }
        if unsafe state.pointee.isReused {
            unsafe EncodingSession.idle.keep(state)
        } else {
            // The holder frees the state, now or when user code lets go of it.
            let holder = unsafe state.pointee.retainProbe
            unsafe state.pointee.retainProbe = nil
            withExtendedLifetime(holder) {}
        }
    }
}
