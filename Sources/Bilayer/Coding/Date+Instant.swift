import Foundation

extension Date {
    /// The date nearest to an instant.
    init(_ instant: RFC3339.Instant) {
        // Whole seconds are exact in both scales, so there is one rounding, when the fraction is added.
        self.init(timeIntervalSinceReferenceDate: Double(instant.seconds - 978_307_200) + instant.fraction)
    }
}
