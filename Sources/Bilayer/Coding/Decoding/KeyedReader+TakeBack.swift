extension KeyedReader {
    /// Takes a container back when the frame that handed it out ends.
    func takeBack(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
        if isFree, unsafe state.pointee.isReused, let home = unsafe state.pointee.home {
            if isSurplus { return deallocate() }
            if unsafe state.pointee.names != nil { unsafe state.pointee.names = nil }
            unsafe state.pointee.next = home.pointee.idle
            unsafe home.pointee.idle = state
            return
        }
        if !isFree { cutLoose() }
        if unsafe state.pointee.isReused {
            unsafe DecodingSession.idle.keep(state)
        } else {
            // The holder frees the state, now or when user code lets go of it.
            let holder = unsafe state.pointee.retainProbe
            unsafe state.pointee.retainProbe = nil
            withExtendedLifetime(holder) {}
        }
    }

    /// Gives the container what it needs to go on without its session.
    private func cutLoose() {
        let detachment = Detachment(context, path: path)
        unsafe state.pointee.context = detachment.context
        unsafe state.pointee.place = detachment.placePointer
        unsafe state.pointee.home = nil
        unsafe state.pointee.table = nil
        unsafe state.pointee.entries = nil
        unsafe state.pointee.next = nil
        unsafe state.pointee.detachment = detachment
    }
}
