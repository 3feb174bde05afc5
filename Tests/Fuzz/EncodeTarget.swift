import Foundation

// Programs of container calls, some of which fail. The text must be JSON with the value of a simple reference encoder,
// or there must be an error where the reference has one. For tame programs (`EncodingProgram.isTame`) the value must be
// Foundation's, too. An input is a list of choices (``ProgramChoices``).

/// Checks one input.
@_cdecl("encodeTarget")
public func encodeTarget(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let fault = EncodingProgram(bytes).fault() { fail(fault) }
    return 0
}
