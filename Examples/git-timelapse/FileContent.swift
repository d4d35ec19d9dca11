/// What git records of a file beside its name: the mode and which object it holds.
struct FileContent: Hashable, Sendable {
    /// The mode in git's own digits, such as 100644, 100755, 120000 (symbolic link) or 160000
    /// (submodule).
    var mode: FileMode

    /// The blob, or for a submodule the commit.
    var object: ObjectID
}

/// A file's type and permissions.
struct FileMode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reads octal digits, or returns nil.
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
