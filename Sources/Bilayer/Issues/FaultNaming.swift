/// An error that names its kind of fault in a few words, which are equal for each call: `status 503`, `timed out`.
protocol FaultNaming: Error {
    var fault: String { get }
}

/// Returns the fault of an error, or the name of the error's type.
func faultName(of error: any Error) -> String { (error as? any FaultNaming)?.fault ?? typeName(type(of: error)) }

extension TransportError: FaultNaming {
    var fault: String { kind.description }
}
