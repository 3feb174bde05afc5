package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Opens files by their paths, but only regular files: a pipe, a device or a socket could block the thread without an
/// end, and other tasks need the thread. Symbolic links are followed.
package enum RegularFile {
    /// The error of a path that leads to something else than a regular file.
    package struct OtherKindError: Error, Redacted {
        /// What was found, such as `a pipe`.
        package let found: String

        package var description: String { "found \(found), expected a regular file" }
    }

    /// Returns the number of bytes; `nil` if the path leads to no regular file.
    static func size(of url: URL) -> Int? {
        guard url.isFileURL, let found = record(of: url.path), kind(of: found) == nil else { return nil }
        return Int(found.st_size)
    }

    /// Returns what a path leads to, such as `a pipe`; `nil` if it is a regular file, or if nothing was found.
    static func otherKind(at path: String) -> String? { record(of: path).flatMap(kind) }

    /// Opens a file for reading.
    /// - Throws: ``OtherKindError``, or a `CocoaError` if the file is missing or cannot be read, or if the address is
    ///   not that of a file.
    static func open(_ url: URL) throws -> FileHandle {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        // Opening a pipe wakes a process that waits to write to it, and opening a device can change its state. So the
        // kind is checked before the file is opened, and again when it is open, because it may have been replaced
        // meanwhile.
        if let found = otherKind(at: url.path) { throw OtherKindError(found: found) }
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let number = openFile(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            throw error(errno, at: url)
        }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        if let found = otherKind(of: file) { throw OtherKindError(found: found) }
        return file
    }

    /// Returns the error of a file that the system has not opened.
    private static func error(_ number: Int32, at url: URL) -> CocoaError {
        let code: CocoaError.Code =
            switch number {
            case ENOENT, ENOTDIR: .fileReadNoSuchFile
            case EACCES, EPERM: .fileReadNoPermission
            default: .fileReadUnknown
            }
        var info: [String: Any] = [NSFilePathErrorKey: url.path]
        if let reason = POSIXErrorCode(rawValue: number) { info[NSUnderlyingErrorKey] = POSIXError(reason) }
        return CocoaError(code, userInfo: info)
    }

    /// Returns what an open file is, such as `a pipe`; `nil` if it is a regular file.
    static func otherKind(of file: FileHandle) -> String? {
        var found = stat()
        // Bound: the call writes one record.
        guard unsafe fstat(file.fileDescriptor, &found) == 0 else { return "a file without attributes" }
        return kind(of: found)
    }

    /// Returns all bytes of a file.
    /// - Throws: The errors of ``open(_:)`` and of reading.
    package static func contents(of url: URL) throws -> Data {
        let file = try open(url)
        defer { try? file.close() }
        return try file.readToEnd() ?? Data()
    }

    private static func record(of path: String) -> stat? {
        var found = stat()
        // Bound: the path is a text with a zero byte at its end; the call writes one record.
        return unsafe stat(path, &found) == 0 ? found : nil
    }

    private static func kind(of found: stat) -> String? {
        switch found.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFIFO: "a pipe"
        case S_IFDIR: "a folder"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}

/// Calls the system's function `open`. Inside ``RegularFile``, that name is the method ``RegularFile/open(_:)``.
private func openFile(_ path: String, _ flags: Int32) -> Int32 {
    // Bound: the path is a text with a zero byte at its end.
    unsafe open(path, flags)
}
