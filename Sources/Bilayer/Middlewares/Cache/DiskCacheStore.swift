import Dispatch
public import Foundation

/// A store that keeps the entries of a cache in files, bounded in bytes; the least recently used are removed first.
///
/// ```swift
/// let caches = try FileManager.default.url(
///     for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
/// let folder = caches.appendingPathComponent("com.example.app/http")
/// let cache = HTTPCache(.disk(at: folder, maximumBytes: 100 << 20))
/// ```
///
/// Each address has a file, named by a digest of the address. A file is written under another name, synchronized and
/// renamed, so a crash leaves the old file or the new one. A damaged file is a miss, and is removed. The responses of
/// one address are not kept if together they are larger than a quarter of the bound.
///
/// Several processes may use one folder. Each store object counts the bytes that it writes. It reads the sizes in the
/// folder again before the bytes written since the last reading exceed an eighth of the bound. So the folder can exceed
/// the bound by a quarter for each other store object over it.
///
/// The files are readable only by the user, and not encrypted by the store. They contain bodies and header fields of
/// responses, without cookies, and not the address of the request. Files of another user are ignored. On iOS, tvOS,
/// watchOS and visionOS the files are encrypted until the first unlock after a restart of the device. On Apple
/// platforms a folder that the store makes is excluded from backups. Choose a folder that only the cache uses; the
/// store leaves other files in it alone.
///
/// If the folder has become read-only, entries cannot be removed or replaced. An entry that should have been removed or
/// replaced is then no longer returned by any store of this process. All other entries are still returned. The file of
/// an entry that cannot be removed is emptied if possible. Otherwise the next process finds the entry again. The
/// closure `onFailure` receives a ``DiskCacheError``.
public final class DiskCacheStore: HTTPCacheStore, @unchecked Sendable {  // Sendable: `written` is on `queue`.
    /// The largest sum of the files' sizes.
    public let maximumBytes: Int
    private let folder: CacheFolder
    private let queue = DispatchQueue(label: "bilayer.cache", qos: .userInitiated)
    /// The sum of the sizes when the folder was read, and the bytes that were written since then; `nil` before the
    /// folder is read.
    private var written: (atReading: Int, since: Int)?

    /// Makes a store. The folder is made with the first entry.
    /// - Parameters:
    ///   - folder: The folder, which only the cache uses.
    ///   - maximumBytes: The largest sum of the files' sizes.
    ///   - report: Receives the error when a write or a removal fails. Called on a queue of the store.
    public init(
        at folder: URL,
        maximumBytes: Int,
        onFailure report: @escaping @Sendable (DiskCacheError) -> Void = { _ in }
    ) {
        self.folder = CacheFolder(url: folder, report: report)
        self.maximumBytes = max(maximumBytes, 0)
    }

    /// The path of the folder, which is equal for stores over the same folder.
    var path: String { folder.path }

    /// The entries of an address.
    public func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] {
        await run { store in
            guard let file = store.folder.read(key, limit: store.maximumBytes) else { return [] }
            guard let entries = CacheFile.entries(in: file, for: key) else {
                store.folder.remove(key)
                return []
            }
            store.folder.touch(key, at: time)
            return entries
        }
    }

    /// Stores the entries of an address. Removes other entries before that if the bound would be exceeded.
    public func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async {
        await run { store in
            let bytes = entries.isEmpty ? nil : CacheFile.bytes(of: entries, for: key)
            guard let bytes, bytes.count <= store.maximumBytes / 4 else { return store.folder.remove(key) }
            let isWritten = store.makeRoom(for: bytes.count, at: time) && store.folder.write(bytes, for: key, at: time)
            // An old response must not outlive a newer response that could not be written.
            if !isWritten { store.folder.remove(key) }
        }
    }

    /// Removes all entries.
    public func removeAll() async {
        await run { store in
            store.folder.removeAll()
            store.written = nil
        }
    }

    /// Runs work on a queue of the store, because reading and writing files blocks. A cancelled task also waits until
    /// the work has ended.
    private func run<Value: Sendable>(_ work: @escaping @Sendable (DiskCacheStore) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work(self)) }
        }
    }

    /// Makes room for a file of `count` bytes. If the bound would be exceeded, removes the least recently used files
    /// until an eighth of the bound would stay free.
    /// - Returns: Whether there is room.
    private func makeRoom(for count: Int, at time: Date) -> Bool {
        if let known = written, known.since + count <= maximumBytes / 8,
            known.atReading + known.since + count <= maximumBytes
        {
            written = (known.atReading, known.since + count)
            return true
        }
        written = nil
        guard var files = folder.sortedFiles(at: time) else { return false }
        var total = files.reduce(0) { $0 + $1.byteCount }
        if total + count > maximumBytes {
            while total + count > maximumBytes - maximumBytes / 8, let oldest = files.popLast() {
                if folder.remove(oldest) { total -= oldest.byteCount }
            }
        }
        guard total + count <= maximumBytes else { return false }
        written = (total, count)
        return true
    }
}

extension CacheFolder {
    /// The files, the most recently used first; `nil` if the folder cannot be read.
    fileprivate func sortedFiles(at time: Date) -> [File]? {
        do {
            return try files(at: time).sorted { $0.use > $1.use }
        } catch {
            report(DiskCacheError(operation: .write, underlyingError: error))
            return nil
        }
    }
}

extension HTTPCacheStore where Self == DiskCacheStore {
    /// Returns a store that keeps the entries in files.
    /// - Parameters:
    ///   - folder: The folder, which only the cache uses.
    ///   - maximumBytes: The largest sum of the files' sizes.
    ///   - report: Receives the error when a write or a removal fails. Called on a queue of the store.
    /// - Returns: The store.
    public static func disk(
        at folder: URL,
        maximumBytes: Int,
        onFailure report: @escaping @Sendable (DiskCacheError) -> Void = { _ in }
    ) -> DiskCacheStore {
        DiskCacheStore(at: folder, maximumBytes: maximumBytes, onFailure: report)
    }
}

extension DiskCacheStore: Redacted {
    /// The type with its bound, without the folder: `DiskCacheStore(100.0 MB)`.
    public var description: String { "DiskCacheStore(\(byteCountText(maximumBytes)))" }
}
