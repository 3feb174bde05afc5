import Foundation

/// Prints a reason and ends the process. libFuzzer then keeps the input.
func fail(_ reason: @autoclosure () -> String) -> Never {
    FileHandle.standardError.write(Data("found: \(reason())\n".utf8))
    abort()
}

/// Ends the process with a reason if a condition does not hold.
@inline(__always)
func check(_ holds: Bool, _ reason: @autoclosure () -> String) {
    if !holds { fail(reason()) }
}
