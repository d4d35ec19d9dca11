/// A name or path as git keeps it: bytes, of which only NUL is impossible.
///
/// Equality and order are those of the bytes, so that two names that no UTF-8 decoder tells apart
/// stay two names. The root directory's own name is `.`, which git allows no file to have.
struct FileName: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The directory that everything is in.
    static let root = FileName([UInt8(ascii: ".")])

    /// Whether it can be the path of a file: it does not end where a name should follow.
    var isFilePath: Bool { bytes.last.map { $0 != UInt8(ascii: "/") } ?? false }

    /// Takes a path from the root apart into the directory and the name within it.
    func splitIntoDirectoryAndName() -> (directory: FileName, name: FileName) {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (.root, self) }
        return (FileName(bytes[..<slash]), FileName(bytes[(slash + 1)...]))
    }

    /// The path from the root of the file called `name` in this directory.
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
    /// The name for people: invalid UTF-8 is replaced, control characters are escaped.
    var description: String { DisplayText.escaping(String(decoding: bytes, as: UTF8.self)) }
}
