import BilayerTesting

/// The problems of a contract check, as texts.
func contractProblems(_ body: () throws -> Void) -> [String] {
    do {
        try body()
        return []
    } catch {
        return (error as? ContractError)?.problems.map(\.description) ?? ["\(error)"]
    }
}
