import Foundation

/// The format of a file of ``DiskCacheStore``: a mark, the length and the SHA-256 of the content, and the content
/// itself, which is the key and the entries.
///
/// No entries are read from a file that was cut, changed or written for another key.
enum CacheFile {
    /// The first bytes of every file. They contain the version of the format.
    private static let mark: [UInt8] = Array("BLCACHE1".utf8)
    private static let headCount = mark.count + 8 + 32

    /// Returns the bytes of the file with these entries.
    static func bytes(of entries: [HTTPCacheEntry], for key: HTTPCacheKey) -> Data {
        var payload = CacheBytes()
        payload.write(key.name)
        payload.write(entries.count)
        for entry in entries { payload.write(entry) }
        var head = CacheBytes(Data(mark))
        head.write(payload.bytes.count)
        return head.bytes + SHA256.bytes(of: payload.bytes) + payload.bytes
    }

    /// Returns the entries of a file; `nil` if the file is damaged or belongs to another key.
    static func entries(in file: Data, for key: HTTPCacheKey) -> [HTTPCacheEntry]? {
        guard file.count >= headCount, file.prefix(mark.count).elementsEqual(mark) else { return nil }
        var head = CacheBytes(Data(file.dropFirst(mark.count).prefix(8)))
        let checksum = file.dropFirst(mark.count + 8).prefix(32)
        let payload = Data(file.dropFirst(headCount))
        guard head.readInt() == payload.count, SHA256.bytes(of: payload).elementsEqual(checksum) else {
            return nil
        }
        var rest = CacheBytes(payload)
        guard rest.readText() == key.name, let count = rest.readInt(),
            (1...HTTPCacheEntry.maximumVariants).contains(count)
        else { return nil }
        var entries: [HTTPCacheEntry] = []
        for _ in 0..<count {
            guard let entry = rest.readEntry() else { return nil }
            entries.append(entry)
        }
        return rest.isAtEnd ? entries : nil
    }
}
