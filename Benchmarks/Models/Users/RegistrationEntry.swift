import Bilayer
import Foundation

/// The users with the registration date only. It measures dates and the skipping of all other members.
struct RegistrationEntry: CorpusModel {
    let id: Int
    let createdAt: Date
}
