/// The decode and encode cases of all corpora. They run once, and only their allocations are counted.
func memoryCases(of corpora: Corpora) throws -> [Case] {
    let decodes = corpora.all.map { decodeCase(of: $0).countedOnly(named: "decode") }
    let encodes = try corpora.all.map { try encodeCase(of: $0).countedOnly(named: "encode") }
    return decodes + encodes
}

extension Case {
    fileprivate func countedOnly(named direction: String) -> Case {
        Case(
            suite: .memory,
            corpus: "\(corpus)-\(direction)",
            byteCount: byteCount,
            isTimed: false,
            resultBlocks: resultBlocks,
            contenders: contenders
        )
    }
}
