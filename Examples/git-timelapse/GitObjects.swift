import Foundation
import ProgramSupport

/// A commit: its subject, and its changes relative to its first parent.
struct GitCommit: Hashable, Sendable {
    var id: ObjectID

    /// The first paragraph of the message as one line. It may contain any characters except newline
    /// and NUL.
    var subject: String

    /// The changes in git's order. No path occurs twice on the same side.
    var changes: [FileChange]
}

/// The change of one file in a commit. Paths start at the root.
enum FileChange: Hashable, Sendable {
    /// The file is new. A copy is also an addition.
    case add(FileName, FileContent)
    /// The file is deleted.
    case delete(FileName)
    /// The content, the mode or the type of the file changes.
    case modify(FileName, FileContent)
    /// The path of the file changes, and possibly its content.
    case rename(from: FileName, to: FileName, FileContent)
}

/// The name of a git object: 40 (SHA-1) or 64 (SHA-256) hexadecimal digits.
struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// All digits, in git's form.
    let description: String

    /// Reads the digits. Returns `nil` for anything else.
    init?(_ digits: some Collection<UInt8>) {
        let isHexadecimal = digits.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard isHexadecimal, digits.count == 40 || digits.count == 64 else { return nil }
        description = String(decoding: digits, as: UTF8.self)
    }

    /// The first seven digits, the usual short form.
    var abbreviated: Substring { description.prefix(7) }
}

/// The mode and the object that git records for a file.
struct FileContent: Hashable, Sendable {
    /// The mode, such as 100644, 100755, 120000 (symbolic link) or 160000 (submodule) in octal
    /// digits.
    var mode: FileMode

    /// The blob, or the commit of a submodule.
    var object: ObjectID
}

/// A file's type and permissions.
struct FileMode: Hashable, Sendable, CustomStringConvertible {
    private let bits: UInt32

    /// Reads up to seven octal digits. Returns `nil` for anything else.
    init?(octal digits: some Collection<UInt8>) {
        let isOctal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        guard isOctal, digits.count <= 7,
            let bits = UInt32(String(decoding: digits, as: UTF8.self), radix: 8)
        else { return nil }
        self.bits = bits
    }

    var description: String { String(format: "%06o", bits) }
}

/// A name or path in git: bytes, of which only NUL is not permitted.
///
/// Equality and order compare bytes, so names that decode to the same text stay different. The name
/// of the root directory is `.`, which git does not permit for a file.
struct FileName: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The root directory.
    static let root = FileName([UInt8(ascii: ".")])

    /// Whether this can be the path of a file, which does not end with a slash.
    var isFilePath: Bool { bytes.last.map { $0 != UInt8(ascii: "/") } ?? false }

    /// Splits a path from the root into the directory and the name within it.
    func splitIntoDirectoryAndName() -> (directory: FileName, name: FileName) {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (.root, self) }
        return (FileName(bytes[..<slash]), FileName(bytes[(slash + 1)...]))
    }

    /// Returns the path from the root of the file `name` in this directory.
    func appending(_ name: FileName) -> FileName {
        self == .root ? name : FileName(bytes + [UInt8(ascii: "/")] + name.bytes)
    }
}

extension FileName: Comparable {
    static func < (left: FileName, right: FileName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension FileName: CustomStringConvertible {
    /// The name for people: invalid UTF-8 is replaced, and control characters are escaped.
    var description: String { String(decoding: bytes, as: UTF8.self).escapedForTerminal }
}
