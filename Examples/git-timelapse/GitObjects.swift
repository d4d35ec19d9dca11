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

/// The name of a git object: 20 bytes (SHA-1) or 32 bytes (SHA-256).
///
/// It consists of four words instead of an array because every file of the model has one.
struct ObjectID: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private let digitCount: UInt8

    /// Reads 40 or 64 hexadecimal digits. Returns `nil` for anything else.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 40 || digits.count == 64 else { return nil }
        digitCount = UInt8(digits.count)
        for (position, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            switch position / 16 {
            case 0: words.0 = words.0 << 4 | UInt64(value)
            case 1: words.1 = words.1 << 4 | UInt64(value)
            case 2: words.2 = words.2 << 4 | UInt64(value)
            default: words.3 = words.3 << 4 | UInt64(value)
            }
        }
    }

    init?(_ text: some StringProtocol) { self.init(hexadecimal: Array(text.utf8)) }

    static func == (left: ObjectID, right: ObjectID) -> Bool {
        left.words == right.words && left.digitCount == right.digitCount
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }

    /// The first seven digits, the usual short form.
    var abbreviated: String { String(description.prefix(7)) }
}

extension ObjectID: CustomStringConvertible {
    /// All digits, in git's form.
    var description: String {
        var digits = ""
        let counts = digitCount == 40 ? [16, 16, 8] : [16, 16, 16, 16]
        for (count, word) in zip(counts, [words.0, words.1, words.2, words.3]) {
            let text = String(word, radix: 16)
            digits += String(repeating: "0", count: count - text.count) + text
        }
        return digits
    }
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
struct FileMode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reads octal digits. Returns `nil` for anything else.
    init?(octal digits: some Collection<UInt8>) {
        guard (1...7).contains(digits.count) else { return nil }
        rawValue = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
            rawValue = rawValue << 3 | UInt32(digit - UInt8(ascii: "0"))
        }
    }

    var description: String {
        let digits = String(rawValue, radix: 8)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}

/// A name or path in git: bytes, of which only NUL is not permitted.
///
/// Equality and order compare bytes, so names that decode to the same text stay different. The name
/// of the root directory is `.`, which git does not permit for a file.
struct FileName: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

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
        left.bytes.withUnsafeBufferPointer { left in
            right.bytes.withUnsafeBufferPointer { right in
                let count = min(left.count, right.count)
                for position in 0..<count where left[position] != right[position] {
                    return left[position] < right[position]
                }
                return left.count < right.count
            }
        }
    }
}

extension FileName: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { bytes = Array(text.utf8) }
}

extension FileName: CustomStringConvertible {
    /// The name for people: invalid UTF-8 is replaced, and control characters are escaped.
    var description: String { DisplayText.escaping(String(decoding: bytes, as: UTF8.self)) }
}
