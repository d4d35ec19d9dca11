/// Where a ``UpdateJournal`` keeps its bytes: one run of them that grows at its end.
///
/// Conform whatever can hold them, such as a broker's stream or a block device. A journal does not believe
/// what it reads, so that a storage may lose, tear or spoil what was not synced; that is then found.
///
/// Threading: all calls come from where the journal is used, one at a time; they may block.
public protocol JournalStorage: AnyObject {
    /// How many bytes there are.
    func byteCount() throws(JournalError) -> Int

    /// The bytes of `range`, which lies within those that there are.
    func read(_ range: Range<Int>) throws(JournalError) -> [UInt8]

    /// Adds bytes at the end; after an error any part of them may be there.
    func append(_ bytes: [UInt8]) throws(JournalError)

    /// Drops all but the first `byteCount` bytes.
    func truncate(to byteCount: Int) throws(JournalError)

    /// Puts other bytes in place of all, wholly or not at all whatever happens, and durably so.
    func replaceAll(with bytes: [UInt8]) throws(JournalError)

    /// Returns when all that was done before will survive the loss of power. After an error nothing is
    /// known of it.
    func sync() throws(JournalError)
}
