import Foundation

extension Date {
    /// The date nearest to an instant.
    init(_ instant: RFC3339.Instant) {
        // Whole seconds are exact in both scales. The only rounding is that of the added fraction.
        self.init(timeIntervalSinceReferenceDate: Double(instant.seconds - 978_307_200) + instant.fraction)
    }
}
