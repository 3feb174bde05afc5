import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The received bytes of an incomplete file, in the folder of the destination, with their ``EntityValidator``.
///
/// A part that is kept has a fixed name, so that a later download finds it. It is locked while a download uses it. A
/// part that is not kept has a unique name, and so has the part of a second concurrent download to one destination. If
/// the process ends before the download, such a part stays. A later process removes it when it begins a download to the
/// folder, at least an hour later.
///
/// Until the file is whole, only the files' owner can read them: the validator has digests of credentials.
// Sendable: the object belongs to one iteration, which runs in one task at a time. Only that task uses `file` and the
// counts.
final class PartialFile: @unchecked Sendable {
    let url: URL
    private(set) var count = 0
    private(set) var validator: EntityValidator?
    private let note: URL
    private let isKept: Bool
    private var file: FileHandle?
    private var isOver = false

    /// Opens the part of an earlier download if parts are kept, no other download uses the part, and its validator is
    /// stored. Otherwise makes an empty part.
    /// - Throws: An error of the file system, for example if the target is a folder, or is in no folder that exists.
    init(for target: URL, isKept: Bool) throws {
        guard target.isFileURL else {
            throw Self.failure(.fileWriteUnsupportedScheme, "found another address, expected the URL of a file")
        }
        // A file cannot replace a folder. Without this check the download would fail after the last byte.
        if (try? target.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            throw Self.failure(.fileWriteFileExists, "found a folder at the place of the file, expected none")
        }
        let folder = target.deletingLastPathComponent()
        guard (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else {
            let found = "found no folder \"\(folder.lastPathComponent)\" for the file, expected one that exists"
            throw Self.failure(.fileNoSuchFile, found)
        }
        // File systems allow 255 bytes in a name.
        let whole = target.lastPathComponent
        let base = whole.utf8.count > 180 ? String(stableHash(of: whole.utf8), radix: 16) : whole
        func part(_ name: String) -> URL { folder.appendingPathComponent(".\(name).part") }
        Self.removeAbandoned(in: folder)
        func validator(_ name: String) -> URL { folder.appendingPathComponent(".\(name).validator") }
        if isKept, let file = try Self.locked(part(base)) {
            (url, note, self.isKept, self.file) = (part(base), validator(base), true, file)
            if let known = Self.validator(at: note) {
                count = Int(try file.seekToEnd())
                self.validator = known
            } else {
                try file.truncate(atOffset: 0)
            }
        } else {
            let name = "\(base).\(UUID().uuidString)"
            (url, note) = (folder.appendingPathComponent(".\(name)\(Self.ending)"), validator(name))
            self.isKept = false
            let file = try Self.made(url)
            _ = flock(file.fileDescriptor, LOCK_EX | LOCK_NB)
            self.file = file
        }
    }

    private static func validator(at note: URL) -> EntityValidator? {
        (try? RegularFile.contents(of: note)).flatMap { String(data: $0, encoding: .utf8) }
            .flatMap { EntityValidator(note: $0) }
    }

    /// Removes the parts in a folder that were not kept, and whose process has ended before their download, for example
    /// by a crash.
    ///
    /// Such a part is not locked, and is older than an hour. A download locks its part at once, but not in the same
    /// step in which it makes the part. A folder can have many files, so each process does this at most once an hour
    /// for a folder. Only a process with 1,000 folders or more may do it more often.
    private static func removeAbandoned(in folder: URL) {
        let isDue = searchedFolders.withLock { folders in
            if let last = folders[folder.path], last > Date() - 3_600 { return false }
            if folders.count >= 1_000 { folders = [:] }
            folders[folder.path] = Date()
            return true
        }
        guard isDue else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(".") && name.hasSuffix(ending) {
            let file = folder.appendingPathComponent(name)
            let identifier = name.dropLast(ending.count).suffix(37)
            guard identifier.first == ".", UUID(uuidString: String(identifier.dropFirst())) != nil,
                let date = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date,
                date < Date() - 3_600, let abandoned = try? locked(file)
            else { continue }
            try? FileManager.default.removeItem(at: file)
            try? abandoned.close()
        }
    }

    /// The end of the name of a part that is not kept. It is unusual, so that files of the app or of another downloader
    /// are not taken for such a part. The name of a kept part ends in `.part`.
    private static let ending = ".bilayer-download"
    /// The time of the last search in each folder, by its path.
    private static let searchedFolders = Locked<[String: Date]>([:])

    /// Makes an empty file. Fails if the file exists, because another user of the folder may have put a link there.
    private static func made(_ url: URL, permitting mode: mode_t = 0o600) throws -> FileHandle {
        // Bound: the path is a text with a zero byte at its end.
        let number = unsafe open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard number >= 0 else { throw failure(at: url) }
        return FileHandle(fileDescriptor: number, closeOnDealloc: true)
    }

    /// An error that names the folder, but not the path to it: the path can contain the name of a user, or of a file.
    private static func failure(at url: URL) -> CocoaError {
        let folder = url.deletingLastPathComponent().lastPathComponent
        return failure(
            .fileWriteUnknown,
            "found a folder \"\(folder)\" in which the file cannot be made or replaced, expected a writable one"
        )
    }

    private static func failure(_ code: CocoaError.Code, _ text: String) -> CocoaError {
        CocoaError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// Opens the file and locks it until it is closed.
    /// - Returns: The file; `nil` if it is a symbolic link or no regular file, belongs to another user, is used by
    ///   another download of any process, cannot be locked, or was moved away meanwhile.
    private static func locked(_ url: URL) throws -> FileHandle? {
        // The file is made if it does not exist, but never emptied or replaced: another download may use it.
        // Bound: the path is a text with a zero byte at its end.
        let number = unsafe open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        // Another user of the folder may have put a link to any file there, or a socket or a folder.
        if number < 0, [ELOOP, ENXIO, EOPNOTSUPP, EISDIR].contains(errno) { return nil }
        guard number >= 0 else { throw failure(at: url) }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        guard RegularFile.otherKind(of: file) == nil, flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            return nil
        }
        // The download that had the lock before may have moved the file away.
        var (opened, found) = (stat(), stat())
        // Bound: both calls write one record each; the path is a text with a zero byte at its end.
        guard unsafe fstat(file.fileDescriptor, &opened) == 0, unsafe stat(url.path, &found) == 0,
            opened.st_ino == found.st_ino, opened.st_dev == found.st_dev,
            // A file of another user is refused, because that user could read it.
            opened.st_uid == geteuid(), fchmod(file.fileDescriptor, 0o600) == 0
        else { return nil }
        return file
    }

    deinit { end(keeping: isKept) }

    func append(_ chunk: Data) throws {
        try file?.write(contentsOf: chunk)
        count += chunk.count
    }

    /// Removes the bytes and the validator, so that the download starts again from the first byte.
    func restart() throws {
        try file?.truncate(atOffset: 0)
        count = 0
        try store(nil)
    }

    /// Stores the validator of the resource that the bytes are a part of.
    func store(_ validator: EntityValidator?) throws {
        guard validator != self.validator else { return }
        self.validator = validator
        guard isKept else { return }
        guard let validator else {
            try? FileManager.default.removeItem(at: note)
            return
        }
        let unfinished = note.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: unfinished)
        let file = try Self.made(unfinished)
        try file.write(contentsOf: Data(validator.note.utf8))
        try file.close()
        guard replaceFile(at: note, by: unfinished) else { throw Self.failure(at: note) }
    }

    /// Writes everything to the disk.
    func synchronize() throws { try file?.synchronize() }

    /// Moves the file to its destination in one step, and closes it.
    func move(to target: URL) throws {
        permitAsNew()
        guard replaceFile(at: target, by: url) else {
            throw Self.failure(at: target)
        }
        isOver = true
        try? FileManager.default.removeItem(at: note)
        try? file?.close()
        file = nil
    }

    /// Gives the whole file the permissions of a new file, because the app decides who may read it.
    private func permitAsNew() {
        let name = url.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: name)
        guard let file, let new = try? Self.made(name, permitting: 0o666) else { return }
        defer {
            try? new.close()
            try? FileManager.default.removeItem(at: name)
        }
        var found = stat()
        // Bound: the call writes one record.
        guard unsafe fstat(new.fileDescriptor, &found) == 0 else { return }
        _ = fchmod(file.fileDescriptor, found.st_mode & 0o777)
    }

    /// Ends a download that has failed.
    /// - Parameter isKept: Whether a later download can use the part.
    func end(keeping isKept: Bool) {
        guard !isOver else { return }
        isOver = true
        defer {
            try? file?.close()
            file = nil
        }
        if isKept, self.isKept, validator != nil, FileManager.default.fileExists(atPath: url.path) { return }
        try? FileManager.default.removeItem(at: url)
        try? FileManager.default.removeItem(at: note)
    }
}
