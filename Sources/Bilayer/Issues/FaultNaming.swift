/// An error that names its kind of fault in a few words, which are equal for each call: `status 503`, `timed out`.
protocol FaultNaming: Error {
    var fault: String { get }
}

extension TransportError: FaultNaming {
    var fault: String { kind.description }
}
