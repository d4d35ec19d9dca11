import CollectionChanges
import CollectionPublishing

extension LogChain {
    /// A chain of nothing, in a history of its own.
    ///
    /// - Parameter version: the first version number: a random one, so that no other history has versions with these
    ///   numbers.
    package init(
        beginning handle: HistoryHandle,
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
        self.init(at: position, KeptState(), LastNumbers(), key: key, limits: limits)
    }

    /// A chain that goes on from a snapshot.
    init(_ snapshot: SnapshotForm, key: StableHashKey, limits: ShapeLimits) {
        self.init(
            at: snapshot.position,
            KeptState(snapshot.state),
            snapshot.numbers,
            key: key,
            limits: limits
        )
    }

    var snapshot: SnapshotForm {
        SnapshotForm(position: position, numbers: numbers, state: contents.state)
    }

    /// What opens an epoch after this chain, whose versions begin `jump` later than others would: no two epochs, of
    /// which one was lost, use one number.
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

    /// What changes this chain by an update of the source, in numbers of the source's own.
    package func sealed(
        _ changeSet: ValidatedChangeSet,
        _ contents: PublishedContents,
        version: Int
    ) throws(SealingError) -> PendingRecord {
        let edits = try edits(of: changeSet, to: version)
        let contents = renumbered(contents, of: changeSet)
        var next = self.contents
        next.go(by: changeSet, contents)
        let body = ContentsForm.encode(edits, contents)
        return try seal(at: position, version: version, .update(body), changeSet, contents, next)
    }

    /// What turns this chain's state into another, whose sections and items are the same as what is there where they show
    /// the same.
    ///
    /// Complexity: O(n log n).
    func sealed(_ state: PublishedState, version: Int) throws(SealingError) -> PendingRecord {
        let state = matched(state)
        let changeSet = state.changes(from: contents.state)
        let edits = try edits(of: changeSet, to: version)
        let brought = PublishedContents(of: changeSet, in: state)
        let body = ContentsForm.encode(edits, brought)
        let next = KeptState(state)
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
        _ next: KeptState
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

    /// The greatest numbers with what an update brings, where they are such that somebody could take them in.
    private func counting(_ brought: PublishedContents) throws(SealingError) -> LastNumbers {
        guard let next = numbers.counting(brought),
            max(next.item, next.section) <= Self.greatestNumber
        else {
            throw SealingError(
                "no number up to \(Self.greatestNumber) is left above \(numbers.item) for items,"
                    + " or above \(numbers.section) for sections"
            )
        }
        return next
    }

    /// The edits in bytes, where somebody could take them in as what leads to `version`: nothing else is sealed.
    private func edits(
        of changeSet: ValidatedChangeSet,
        to version: Int
    ) throws(SealingError) -> [UInt8] {
        guard version > position.version, UInt64(version) <= Self.greatestNumber else {
            throw SealingError(
                "a version must be above \(position.version) and at most \(Self.greatestNumber),"
                    + " but is \(version)"
            )
        }
        guard position.sequence < .max else {
            throw SealingError("no record can follow the one with the number \(UInt64.max)")
        }
        let edits = changeSet.encodedAlone()
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

    /// The same with numbers that this chain has not given.
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
        own.freshSections = contents.freshSections.map { fresh in
            last.section += 1
            return PublishedContents.FreshSection(
                section: PublishedSection(number: last.section, payload: fresh.section.payload),
                items: fresh.items.map(item)
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

    /// A state of another hub, in numbers of this chain: what shows the same is the same, each once and in its order, and
    /// everything else is new.
    private func matched(_ other: PublishedState) -> PublishedState {
        var last = numbers
        var sections: [PublishedPayload?: [UInt64]] = [:]
        var items: [PublishedPayload?: [UInt64]] = [:]
        let state = contents.state
        // Backwards, so that the first is the one that is removed from the end.
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
            PublishedContents.FreshSection(
                section: section(other.section(at: index)?.payload),
                items: other.items(inSection: index).map { item($0.payload) }
            )
        }
        return PublishedState(own, shape: other.shape)
    }
}

/// Why something cannot be a record.
package struct SealingError: Error, Hashable {
    package let message: String

    init(_ message: String) { self.message = message }
}
