#if os(Linux)
import Foundation
import Glibc

/// The references between files of the sources, read from the index that the compiler writes beside a debug build.
///
/// The index is read by the toolchain's own library, `libIndexStore`, opened at run time. Its string references, a
/// pointer and a length, have the layout of `iovec`, which is used for them in the function types below.
struct IndexStore {
    /// A declaration or a use of a symbol in a file.
    struct Occurrence {
        let symbol: String
        let name: String
        let isDefinition: Bool
    }

    /// The occurrences of each file of a module, by the file's path from the repository's top folder.
    private(set) var occurrences: [String: [Occurrence]] = [:]

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the index of a module.
    /// - Throws: ``Unreadable`` if there is no index or no library for it, or if one of them cannot be opened. Also
    ///   `Compiler.NoModules`.
    init(of module: String) throws {
        let store = try Compiler.modules().deletingLastPathComponent().appending(path: "index/store")
        guard FileManager.default.fileExists(atPath: store.path) else {
            throw Unreadable(description: "There is no index at \(store.path): these tests need a debug build.")
        }
        let library = try unsafe Library(at: Self.toolchainLibrary())
        try unsafe read(store, of: module, with: library)
    }

    /// The library beside the `swift` that is first in `PATH`.
    private static func toolchainLibrary() throws -> String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let swift = URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath()
            let library = swift.deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "lib/libIndexStore.so")
            if FileManager.default.fileExists(atPath: library.path) { return library.path }
        }
        throw Unreadable(description: "There is no libIndexStore beside a swift in PATH.")
    }

    @unsafe
    private mutating func read(_ store: URL, of module: String, with library: Library) throws {
        let opened = unsafe library.open(store.path, nil)
        guard unsafe opened != nil else { throw Unreadable(description: "The index cannot be opened.") }
        let root = Compiler.repository.path + "/"
        for unit in unsafe library.units(of: opened) {
            let reader = unsafe library.unit(opened, unit, nil)
            defer { unsafe library.closeUnit(reader) }
            guard unsafe reader != nil, unsafe library.text(library.moduleName(reader)) == module else { continue }
            for (path, record) in unsafe library.records(of: reader)
            where path.hasPrefix(root + "Sources/\(module)/") && FileManager.default.fileExists(atPath: path) {
                let file = String(path.dropFirst(root.count))
                unsafe occurrences[file] = library.occurrences(in: record, of: opened)
            }
        }
    }
}

/// The functions of `libIndexStore` that are needed.
@unsafe
private struct Library {
    typealias Pointer = UnsafeMutableRawPointer?
    private typealias OfText = @convention(c) (Pointer, iovec) -> Bool
    private typealias OfPointer = @convention(c) (Pointer, Pointer) -> Bool

    let open: @convention(c) (UnsafePointer<CChar>, Pointer) -> Pointer
    let unit: @convention(c) (Pointer, UnsafePointer<CChar>, Pointer) -> Pointer
    let closeUnit: @convention(c) (Pointer) -> Void
    let moduleName: @convention(c) (Pointer) -> iovec
    private let applyUnits: @convention(c) (Pointer, UInt32, Pointer, OfText) -> Bool
    private let applyDependencies: @convention(c) (Pointer, Pointer, OfPointer) -> Bool
    private let dependencyKind: @convention(c) (Pointer) -> UInt32
    private let dependencyName: @convention(c) (Pointer) -> iovec
    private let dependencyPath: @convention(c) (Pointer) -> iovec
    private let record: @convention(c) (Pointer, UnsafePointer<CChar>, Pointer) -> Pointer
    private let closeRecord: @convention(c) (Pointer) -> Void
    private let applyOccurrences: @convention(c) (Pointer, Pointer, OfPointer) -> Bool
    private let symbol: @convention(c) (Pointer) -> Pointer
    private let roles: @convention(c) (Pointer) -> UInt64
    private let usr: @convention(c) (Pointer) -> iovec
    private let name: @convention(c) (Pointer) -> iovec
    private let kind: @convention(c) (Pointer) -> UInt32

    init(at path: String) throws {
        guard let handle = unsafe dlopen(path, RTLD_NOW) else {
            throw IndexStore.Unreadable(description: "\(path) cannot be opened.")
        }
        func function<Function>(_ name: String, as type: Function.Type = Function.self) throws -> Function {
            guard let address = unsafe dlsym(handle, "indexstore_\(name)") else {
                throw IndexStore.Unreadable(description: "The library has no \(name).")
            }
            // Bound: the symbol is a function of this type, as indexstore.h has it.
            return unsafe unsafeBitCast(address, to: type)
        }
        unsafe open = try function("store_create")
        unsafe unit = try function("unit_reader_create")
        unsafe closeUnit = try function("unit_reader_dispose")
        unsafe moduleName = try function("unit_reader_get_module_name")
        unsafe applyUnits = try function("store_units_apply_f")
        unsafe applyDependencies = try function("unit_reader_dependencies_apply_f")
        unsafe dependencyKind = try function("unit_dependency_get_kind")
        unsafe dependencyName = try function("unit_dependency_get_name")
        unsafe dependencyPath = try function("unit_dependency_get_filepath")
        unsafe record = try function("record_reader_create")
        unsafe closeRecord = try function("record_reader_dispose")
        unsafe applyOccurrences = try function("record_reader_occurrences_apply_f")
        unsafe symbol = try function("occurrence_get_symbol")
        unsafe roles = try function("occurrence_get_roles")
        unsafe usr = try function("symbol_get_usr")
        unsafe name = try function("symbol_get_name")
        unsafe kind = try function("symbol_get_kind")
    }

    func text(_ reference: iovec) -> String {
        let bytes = unsafe UnsafeRawBufferPointer(start: reference.iov_base, count: reference.iov_len)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// What a callback of the library collects.
    @safe
    private final class Collected<Value> {
        var values: [Value] = []
        let library: Library

        init(_ library: Library) { unsafe self.library = library }

        static func at(_ address: Pointer) -> Collected {
            // Bound: the address is that of the object that was passed with the callback. Its caller holds it
            // meanwhile.
            unsafe Unmanaged<Collected>.fromOpaque(address.unsafelyUnwrapped).takeUnretainedValue()
        }

        var address: Pointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
    }

    func units(of store: Pointer) -> [String] {
        let collected = unsafe Collected<String>(self)
        _ = unsafe applyUnits(store, 1, collected.address) { address, name in
            let collected = unsafe Collected<String>.at(address)
            collected.values.append(unsafe collected.library.text(name))
            return true
        }
        return collected.values
    }

    /// The files of a unit, with the names of their records.
    func records(of unit: Pointer) -> [(path: String, record: String)] {
        let collected = unsafe Collected<(path: String, record: String)>(self)
        _ = unsafe applyDependencies(unit, collected.address) { address, dependency in
            let collected = unsafe Collected<(path: String, record: String)>.at(address)
            let library = unsafe collected.library
            if unsafe library.dependencyKind(dependency) == Numbers.recordDependency {
                let path = unsafe library.text(library.dependencyPath(dependency))
                collected.values.append((path, unsafe library.text(library.dependencyName(dependency))))
            }
            return true
        }
        return collected.values
    }

    func occurrences(in record: String, of store: Pointer) -> [IndexStore.Occurrence] {
        let reader = unsafe self.record(store, record, nil)
        guard unsafe reader != nil else { return [] }
        defer { unsafe closeRecord(reader) }
        let collected = unsafe Collected<IndexStore.Occurrence>(self)
        _ = unsafe applyOccurrences(reader, collected.address) { address, occurrence in
            let collected = unsafe Collected<IndexStore.Occurrence>.at(address)
            let library = unsafe collected.library
            let symbol = unsafe library.symbol(occurrence)
            let roles = unsafe library.roles(occurrence)
            let isWritten = roles & Numbers.implicit == 0
            let isDefinition = roles & Numbers.declarationOrDefinition != 0
            if isDefinition || isWritten && roles & Numbers.reference != 0,
                unsafe !Numbers.unimportant.contains(library.kind(symbol))
            {
                collected.values.append(
                    IndexStore.Occurrence(
                        symbol: unsafe library.text(library.usr(symbol)),
                        name: unsafe library.text(library.name(symbol)),
                        isDefinition: isDefinition
                    )
                )
            }
            return true
        }
        return collected.values
    }
}

/// Numbers of indexstore.h.
private enum Numbers {
    static var recordDependency: UInt32 { 2 }
    static var declarationOrDefinition: UInt64 { 1 | 2 }
    static var reference: UInt64 { 4 }
    static var implicit: UInt64 { 1 << 8 }
    /// Modules and parameters.
    static var unimportant: Set<UInt32> { [1, 25] }
}
#endif
