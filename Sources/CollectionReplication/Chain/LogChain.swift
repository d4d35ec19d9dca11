import CollectionChanges
import CollectionPublishing

/// A chain of records with the state that it has led to. It takes in a record that extends it, and no other.
///
/// This alone decides what is right, whatever a broker, a file or a stranger gives: a record extends a chain where it is
/// of its history, has the next sequence number and the hash of the record before, is of its epoch and writer or opens a
/// later one, starts from its version, and leads to the state whose digest it has. Everything else has a name.
///
/// A value. Complexity: O(k log n) for a record of k edits.
package struct LogChain: Sendable {
    /// What became of a record.
    package enum Verdict: Sendable {
        /// It extends the chain, and this has changed; an opening changes the version only.
        case extended(PublishedUpdate)
        /// It is the last that was taken in, or lies before it.
        case duplicate
        /// It is of an earlier epoch: its writer does not lead any more.
        case stale
        /// It follows on something else than the last that was taken in, and does not open a later epoch: what another
        /// writer wrote at the same time, which lost.
        case rival
        /// It is of another history.
        case foreign
        /// Records between the last that was taken in and this one are not there.
        case gap
        /// It is of a later epoch, which goes on from something else than what was taken in.
        case fork
        /// It has the right place, and cannot be what a leader wrote there.
        case invalid(String)
    }

    /// The greatest number that versions, items and sections can have: what a double can count.
    static let greatestNumber: UInt64 = 1 << 53 - 1

    let key: StableHashKey
    let limits: ShapeLimits
    private(set) var position: ChainPosition
    package private(set) var contents: KeptState
    private(set) var numbers: LastNumbers

    init(
        at position: ChainPosition,
        _ contents: KeptState,
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
                let (changeSet, brought) = try ContentsForm.decode(
                    bytes,
                    from: contents.state,
                    limits: limits
                )
                update = self.update(by: record, changeSet, brought)
            } catch {
                return .invalid(error.message)
            }
            next.go(by: update.changeSet, update.contents)
        }
        guard next.value == record.digest else {
            return .invalid(
                "the state must have the digest \(record.digest), but has \(next.value)"
            )
        }
        guard let numbers = numbers.counting(update.contents) else {
            return .invalid(
                "fresh sections and items must have numbers above \(numbers.section) and"
                    + " \(numbers.item), each its own, but have not"
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
    /// What a record is that does not extend a chain from here; nil where it does, as far as can be told without the
    /// state.
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
                "a record must lead from version \(version) to a later one, but leads from"
                    + " \(record.from) to \(next.version)"
            )
        }
        return nil
    }
}

extension LastNumbers {
    /// These with what an update brings; nil where that has a number that was given before, or one twice: two items with
    /// one number are nothing that a difference could be taken of.
    ///
    /// Complexity: O(k log k).
    func counting(_ contents: PublishedContents) -> LastNumbers? {
        let sections = contents.freshSections.map(\.section.number)
        let items =
            contents.freshSections.flatMap { $0.items.lazy.map(\.number) }
            + contents.insertedItems.lazy.map(\.number)
        guard let section = sections.greatest(after: section),
            let item = items.greatest(after: item)
        else { return nil }
        return LastNumbers(item: item, section: section)
    }
}

extension [UInt64] {
    /// The greatest of these and `last`; nil where one is not above `last`, or comes twice.
    func greatest(after last: UInt64) -> UInt64? {
        var last = last
        for number in sorted() {
            guard number > last else { return nil }
            last = number
        }
        return last
    }
}

/// A record that a leader has sealed, and that was not read back from the log yet.
package struct PendingRecord: Sendable {
    package let bytes: [UInt8]
    /// What it changes.
    package let update: PublishedUpdate
    /// The chain with it.
    package let chain: LogChain
    /// Which update of the source it is; nil where it is none.
    var number: Int?

    var sequence: UInt64 { chain.position.sequence }
    /// The same for each attempt to append it, and for nothing else.
    var id: String { chain.position.hash.description }
}
