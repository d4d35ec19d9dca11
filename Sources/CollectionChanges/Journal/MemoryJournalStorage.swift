/// A journal's bytes in memory, for tests and for what need not outlive the process.
///
/// Threading: like every ``JournalStorage``, used in one place at a time.
public final class MemoryJournalStorage: JournalStorage {
    /// The bytes.
    public private(set) var bytes: [UInt8]

    /// Makes a storage, of bytes that another had, or of none.
    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// How many bytes there are.
    public func byteCount() -> Int { bytes.count }

    /// The bytes of `range`.
    ///
    /// - Throws: `storage` where there are not as many.
    public func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            throw JournalError(.storage, "bytes \(range) must be among \(bytes.count), but are not")
        }
        return Array(bytes[range])
    }

    /// Adds bytes at the end.
    public func append(_ bytes: [UInt8]) { self.bytes += bytes }

    /// Drops all but the first `byteCount` bytes.
    public func truncate(to byteCount: Int) {
        bytes.removeLast(max(0, bytes.count - max(0, byteCount)))
    }

    /// Puts other bytes in place of all.
    public func replaceAll(with bytes: [UInt8]) { self.bytes = bytes }

    /// Does nothing: memory is never more durable than it is.
    public func sync() {}
}
