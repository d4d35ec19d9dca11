import CollectionChanges
import CollectionPublishing

extension LogChain {
    /// Creates an empty chain in a new history.
    ///
    /// - Parameters:
    ///   - handle: The new history.
    ///   - version: The first version number. It is random, so that no other history has versions
    ///     with these numbers.
    ///   - key: The key of all hashes.
    ///   - limits: The limits of the state.
    package init(
        beginning handle: HistoryID,
        at version: Int,
        key: StableHashKey,
        limits: ShapeLimits
    ) {
        let position = ChainPosition(
            handle: handle,
            epoch: 0,
            writer: 0,
            sequence: 0,
            version: version,
            hash: StateDigest(low: 0, high: 0)
        )
        self.init(at: position, StateWithDigest(), LastNumbers(), key: key, limits: limits)
    }

    /// Creates a chain that continues from a snapshot.
    init(_ snapshot: EncodableSnapshot, key: StableHashKey, limits: ShapeLimits) {
        self.init(
            at: snapshot.position,
            StateWithDigest(snapshot.state),
            snapshot.numbers,
            key: key,
            limits: limits
        )
    }

    var snapshot: EncodableSnapshot {
        EncodableSnapshot(position: position, numbers: numbers, state: contents.state)
    }

    /// Returns the record that opens an epoch after this chain.
    ///
    /// The versions of the epoch start `jump` higher than they otherwise would. If an epoch is
    /// lost, the epochs after it therefore never reuse its version numbers.
    package func opening(epoch: UInt64, writer: UInt64, jump: Int) throws(SealingError)
        -> PendingRecord
    {
        var place = position
        place.epoch = epoch
        place.writer = writer
        let changeSet = ValidatedChangeSet.unchanged(contents.state.shape)
        let version = jumped(by: jump)
        _ = try edits(of: changeSet, to: version)
        return try seal(
            at: place,
            version: version,
            .opening,
            changeSet,
            PublishedContents(),
            contents
        )
    }

    /// Returns the record that applies an update of the source, which numbers its sections and
    /// items itself.
    package func sealed(
        _ changeSet: ValidatedChangeSet,
        _ contents: PublishedContents,
        version: Int
    ) throws(SealingError) -> PendingRecord {
        let edits = try edits(of: changeSet, to: version)
        let contents = renumbered(contents, of: changeSet)
        var next = self.contents
        next.apply(changeSet, contents)
        let body = ContentsCoding.encode(edits, contents)
        return try seal(at: position, version: version, .update(body), changeSet, contents, next)
    }

    /// Returns the record that changes this chain's state into another. A section or item keeps its
    /// number if its payload is the same as that of an existing one.
    ///
    /// Complexity: O(n log n).
    func sealed(_ state: PublishedState, version: Int) throws(SealingError) -> PendingRecord {
        let state = matched(state)
        let changeSet = state.changes(from: contents.state)
        let edits = try edits(of: changeSet, to: version)
        let brought = PublishedContents(of: changeSet, in: state)
        let body = ContentsCoding.encode(edits, brought)
        let next = StateWithDigest(state)
        return try seal(at: position, version: version, .update(body), changeSet, brought, next)
    }

    private func jumped(by jump: Int) -> Int {
        let (sum, overflows) = position.version.addingReportingOverflow(jump)
        return overflows ? .max : sum
    }

    private func seal(
        at place: ChainPosition,
        version: Int,
        _ body: LogRecord.Body,
        _ changeSet: ValidatedChangeSet,
        _ brought: PublishedContents,
        _ next: StateWithDigest
    ) throws(SealingError) -> PendingRecord {
        let numbers = try counting(brought)
        var place = place
        place.sequence += 1
        place.version = version
        var record = LogRecord(
            position: place,
            from: position.version,
            previous: position.hash,
            digest: next.value,
            body: body
        )
        let bytes = record.seal(key: key)
        let update = PublishedUpdate(
            from: self.version,
            to: PublishedVersion(handle: place.handle, number: version),
            changeSet: changeSet,
            contents: brought,
            digest: next.value
        )
        let chain = LogChain(at: record.position, next, numbers, key: key, limits: limits)
        return PendingRecord(bytes: bytes, update: update, chain: chain)
    }

    /// Returns the greatest numbers after an update, or throws if a member could not accept them.
    private func counting(_ brought: PublishedContents) throws(SealingError) -> LastNumbers {
        guard let next = numbers.counting(brought),
            max(next.item, next.section) <= Self.greatestNumber
        else {
            throw SealingError(
                "no unused number up to \(Self.greatestNumber) is left after \(numbers.item) for"
                    + " items, or after \(numbers.section) for sections"
            )
        }
        return next
    }

    /// Returns the encoded edits, or throws if a member could not apply them as an update to
    /// `version`: a leader never seals such a record.
    private func edits(
        of changeSet: ValidatedChangeSet,
        to version: Int
    ) throws(SealingError) -> [UInt8] {
        guard version > position.version, UInt64(version) <= Self.greatestNumber else {
            throw SealingError(
                "expected a version above \(position.version) and at most \(Self.greatestNumber),"
                    + " found \(version)"
            )
        }
        guard position.sequence < .max else {
            throw SealingError("no record can follow the record with sequence number \(UInt64.max)")
        }
        let edits = changeSet.encodedWithoutShape()
        do throws(BinaryDecodingError) {
            _ = try ValidatedChangeSet(
                decoding: edits,
                from: contents.state.shape,
                limits: limits
            )
            return edits
        } catch {
            throw SealingError(error.message)
        }
    }

    // MARK: Numbers

    /// Returns the contents with numbers that this chain has not assigned yet.
    private func renumbered(
        _ contents: PublishedContents,
        of changeSet: ValidatedChangeSet
    ) -> PublishedContents {
        var last = numbers
        func item(_ item: PublishedItem) -> PublishedItem {
            last.item += 1
            return PublishedItem(number: last.item, payload: item.payload)
        }
        let state = self.contents.state
        var own = PublishedContents()
        own.insertedSections = contents.insertedSections.map { inserted in
            last.section += 1
            return PublishedContents.InsertedSection(
                section: PublishedSection(number: last.section, payload: inserted.section.payload),
                items: inserted.items.map(item)
            )
        }
        own.insertedItems = contents.insertedItems.map(item)
        own.changedItems = zip(changeSet.reconfigurations, contents.changedItems).map {
            let number = state.item(at: $0.oldPath)?.number ?? $1.number
            return PublishedItem(number: number, payload: $1.payload)
        }
        own.changedSections = contents.changedSections.map { change in
            let old = changeSet.oldSection(for: change.newIndex).flatMap { state.section(at: $0) }
            let number = old?.number ?? change.section.number
            return PublishedContents.ChangedSection(
                newIndex: change.newIndex,
                section: PublishedSection(number: number, payload: change.section.payload)
            )
        }
        return own
    }

    /// Returns a state of another hub in this chain's numbers: sections and items with the same
    /// payload are matched once each, in order; all others are new.
    private func matched(_ other: PublishedState) -> PublishedState {
        var last = numbers
        var sections: [PublishedPayload?: [UInt64]] = [:]
        var items: [PublishedPayload?: [UInt64]] = [:]
        let state = contents.state
        // Backwards, so that `popLast()` returns the first one.
        for index in (0..<state.numberOfSections).reversed() {
            guard let section = state.section(at: index) else { continue }
            sections[section.payload, default: []].append(section.number)
            for item in state.items(inSection: index).reversed() {
                items[item.payload, default: []].append(item.number)
            }
        }
        func section(_ payload: PublishedPayload?) -> PublishedSection {
            if let number = sections[payload]?.popLast() {
                return PublishedSection(number: number, payload: payload)
            }
            last.section += 1
            return PublishedSection(number: last.section, payload: payload)
        }
        func item(_ payload: PublishedPayload?) -> PublishedItem {
            if let number = items[payload]?.popLast() {
                return PublishedItem(number: number, payload: payload)
            }
            last.item += 1
            return PublishedItem(number: last.item, payload: payload)
        }
        let own = (0..<other.numberOfSections).map { index in
            PublishedContents.InsertedSection(
                section: section(other.section(at: index)?.payload),
                items: other.items(inSection: index).map { item($0.payload) }
            )
        }
        return PublishedState(own, shape: other.shape)
    }
}

/// The reason that an update cannot be sealed as a record.
package struct SealingError: Error, Hashable {
    package let message: String

    init(_ message: String) { self.message = message }
}
