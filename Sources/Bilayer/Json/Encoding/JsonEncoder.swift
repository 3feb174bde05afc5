public struct JsonEncoder: Sendable {}
