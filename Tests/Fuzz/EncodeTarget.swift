import Foundation

// Programs of container calls, some of which fail. The text is valid JSON with a simple reference encoder's value, and
// Foundation's where that gives one. Or there is an error. An input is a list of choices (``ProgramChoices``).

/// One input.
@_cdecl("encodeTarget")
public func encodeTarget(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let fault = EncodingProgram(bytes).fault() { fail(fault) }
    return 0
}
