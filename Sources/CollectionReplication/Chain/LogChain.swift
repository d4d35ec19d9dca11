import CollectionChanges
import CollectionPublishing

/// A chain of records, with the state that they lead to. It applies only records that extend it.
///
/// This type alone decides whether a record is valid, whatever a broker, a file or a third party
/// supplies. A record extends a chain if it belongs to the chain's history, has the next sequence
/// number and the hash of the previous record, belongs to the current epoch and writer or opens a
/// later epoch, starts from the chain's version, and leads to the state with the digest that it
/// names. Each other kind of record has its own verdict.
///
/// The chain is a value. Complexity: O(k log n) for a record of k edits.
package struct LogChain: Sendable {
    /// The result of checking a record against a chain.
    package enum Verdict: Sendable {
        /// The record extends the chain, and this is the update. An opening record changes only the
        /// version.
        case extended(PublishedUpdate)
        /// The record is the last applied record or an earlier one.
        case duplicate
        /// The record belongs to an earlier epoch: its writer no longer leads.
        case stale
        /// The record does not follow the last applied record and does not open a later epoch. An
        /// example is a record of a concurrent writer that has lost its leadership.
        case rival
        /// The record belongs to another history.
        case foreign
        /// Records between the last applied record and this one are missing.
        case gap
        /// The record belongs to a later epoch that does not continue from the last applied record.
        case fork
        /// The record has the right position, but no leader can have written it there.
        case invalid(String)
    }

    /// The greatest number of a version, a section or an item: all integers up to it are exact as a
    /// `Double`.
    static let greatestNumber: UInt64 = 1 << 53 - 1

    let key: StableHashKey
    let limits: ShapeLimits
    private(set) var position: ChainPosition
    package private(set) var contents: StateWithDigest
    private(set) var numbers: LastNumbers

    init(
        at position: ChainPosition,
        _ contents: StateWithDigest,
        _ numbers: LastNumbers,
        key: StableHashKey,
        limits: ShapeLimits
    ) {
        self.position = position
        self.contents = contents
        self.numbers = numbers
        self.key = key
        self.limits = limits
    }

    var version: PublishedVersion {
        PublishedVersion(handle: position.handle, number: position.version)
    }

    package mutating func take(_ record: LogRecord) -> Verdict {
        if let verdict = position.verdict(on: record) { return verdict }
        let update: PublishedUpdate
        var next = contents
        switch record.body {
        case .opening:
            update = self.update(by: record, .unchanged(contents.state.shape), PublishedContents())
        case .update(let bytes):
            do throws(BinaryDecodingError) {
                let (changeSet, brought) = try ContentsCoding.decode(
                    bytes,
                    from: contents.state,
                    limits: limits
                )
                update = self.update(by: record, changeSet, brought)
            } catch {
                return .invalid(error.message)
            }
            next.apply(update.changeSet, update.contents)
        }
        guard next.value == record.digest else {
            return .invalid(
                "expected a state with the digest \(record.digest), found \(next.value)"
            )
        }
        guard let numbers = numbers.counting(update.contents) else {
            return .invalid(
                "expected unique numbers above \(numbers.section) for new sections and above"
                    + " \(numbers.item) for new items"
            )
        }
        self.numbers = numbers
        contents = next
        position = record.position
        return .extended(update)
    }

    private func update(
        by record: LogRecord,
        _ changeSet: ValidatedChangeSet,
        _ contents: PublishedContents
    ) -> PublishedUpdate {
        PublishedUpdate(
            from: version,
            to: PublishedVersion(handle: position.handle, number: record.position.version),
            changeSet: changeSet,
            contents: contents,
            digest: record.digest
        )
    }
}

extension ChainPosition {
    /// Returns the verdict on a record that does not extend a chain at this position; `nil` if it
    /// does, as far as can be determined without the state.
    func verdict(on record: LogRecord) -> LogChain.Verdict? {
        let next = record.position
        if next.handle != handle { return .foreign }
        if next.epoch < epoch { return .stale }
        let isLater = next.epoch > epoch
        if next.sequence <= sequence {
            if isLater { return .fork }
            return next.sequence == sequence && next.hash != hash ? .rival : .duplicate
        }
        if next.sequence > sequence + 1 { return .gap }
        guard record.previous == hash else {
            return isLater ? .fork : .rival
        }
        let isOpening = record.body == .opening
        if isLater != isOpening { return .rival }
        if !isLater, next.writer != writer { return .rival }
        guard record.from == version, next.version > version,
            UInt64(next.version) <= LogChain.greatestNumber
        else {
            return .invalid(
                "expected a record from version \(version) to a later one, found one from"
                    + " \(record.from) to \(next.version)"
            )
        }
        return nil
    }
}

extension LastNumbers {
    /// Returns the greatest numbers after an update, or `nil` if the update assigns a number again
    /// or twice. If two items had the same number, no difference could be computed.
    ///
    /// Complexity: O(k log k).
    func counting(_ contents: PublishedContents) -> LastNumbers? {
        let sections = contents.insertedSections.map(\.section.number)
        let items =
            contents.insertedSections.flatMap { $0.items.lazy.map(\.number) }
            + contents.insertedItems.lazy.map(\.number)
        guard let section = sections.greatest(after: section),
            let item = items.greatest(after: item)
        else { return nil }
        return LastNumbers(item: item, section: section)
    }
}

extension [UInt64] {
    /// Returns the greatest of these numbers and `last`; `nil` if a number is not above `last` or
    /// occurs twice.
    func greatest(after last: UInt64) -> UInt64? {
        var last = last
        for number in sorted() {
            guard number > last else { return nil }
            last = number
        }
        return last
    }
}

/// A record that a leader has sealed and has not yet read back from the log.
package struct PendingRecord: Sendable {
    package let bytes: [UInt8]
    /// The update that the record contains.
    package let update: PublishedUpdate
    /// The chain including this record.
    package let chain: LogChain
    /// The source's number of the update; `nil` if the record is not an update of the source.
    var number: Int?

    var sequence: UInt64 { chain.position.sequence }
    /// The ID of the append: the same for each attempt to append this record, and different for
    /// every other record.
    var id: String { chain.position.hash.description }
}
