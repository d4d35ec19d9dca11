/// The storage of an ``UpdateJournal``: one sequence of bytes that grows at its end.
///
/// Conform any type that can hold bytes, such as a broker's stream or a block device. A journal
/// verifies everything that it reads. A storage may therefore lose, tear or corrupt bytes that were
/// not synced; the journal detects that.
///
/// Threading: the journal makes all calls from the place where it is used, one at a time; they may
/// block.
public protocol JournalStorage: AnyObject {
    /// Returns the number of bytes.
    func byteCount() throws(JournalError) -> Int

    /// Returns the bytes in `range`, which lies within the existing bytes.
    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8]

    /// Appends bytes at the end. After an error, any part of them may have been written.
    func append(_ bytes: [UInt8]) throws(JournalError)

    /// Removes all bytes after the first `byteCount`.
    func truncate(to byteCount: Int) throws(JournalError)

    /// Replaces all bytes atomically and durably: after a crash at any point, the storage contains
    /// either the old or the new bytes.
    func replaceAll(with bytes: [UInt8]) throws(JournalError)

    /// Waits until all previous changes will survive a loss of power. After an error, it is unknown
    /// which of them survive.
    func sync() throws(JournalError)
}

/// A journal storage in memory, for tests and for data that need not outlive the process.
///
/// Threading: like every ``JournalStorage``, it must be used by one caller at a time.
public final class MemoryJournalStorage: JournalStorage {
    /// The stored bytes.
    public private(set) var bytes: [UInt8]

    /// Creates a storage that is empty or contains the bytes of another storage.
    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Returns the number of bytes.
    public func byteCount() -> Int { bytes.count }

    /// Returns the bytes in `range`.
    ///
    /// - Throws: `storage` if `range` exceeds the existing bytes.
    public func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            let count = bytes.count
            throw JournalError(.storage, "bytes \(range) must be within 0..<\(count), but are not")
        }
        return Array(bytes[range])
    }

    /// Appends bytes at the end.
    public func append(_ bytes: [UInt8]) { self.bytes += bytes }

    /// Removes all bytes after the first `byteCount`.
    public func truncate(to byteCount: Int) {
        bytes.removeLast(max(0, bytes.count - max(0, byteCount)))
    }

    /// Replaces all bytes.
    public func replaceAll(with bytes: [UInt8]) { self.bytes = bytes }

    /// Does nothing, because memory cannot become more durable.
    public func sync() {}
}
