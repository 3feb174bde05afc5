// Limits how many tests run at once. Without a limit Swift Testing begins all tests at once. They then wait for each
// other, on a slow machine longer than their time limits, and the run needs half as much time again.
//
// The header declares nothing. To link the target is enough. Swift Testing 6.2 does not know the variable.
