import TestSupport
import Testing

@testable import CollectionChanges

/// Compares a journal over a storage in which any call may fail with a model of its results and
/// contents.
@Suite struct UpdateJournalTests {
    @Test func aJournalMatchesItsModelWhateverFails() throws {
        var opened = 0
        for seed in UInt64(0)..<Effort.number(1_000, usually: 60) {
            var stage = try JournalStage(seed: seed)
            for step in 0..<30 {
                do {
                    try stage.performStep()
                    try stage.check()
                } catch {
                    Issue.record("seed \(seed), step \(step), \(stage.step): \(error)")
                    break
                }
            }
            opened += stage.openings
        }
        // The random steps must reach a journal's opening often enough.
        #expect(opened > 200)
    }

    @Test func recordsThatCouldNotBeReadAreNotWritten() throws {
        let limits = ShapeLimits(sections: 9, items: 3)
        let storage = MemoryJournalStorage()
        let tooMany = failure(
            of: try UpdateJournal(
                creatingIn: storage,
                base: JournalBase(shape: [4]),
                limits: limits
            )
        )
        #expect(tooMany?.code == .unreadable && storage.bytes.isEmpty)
        let base = JournalBase(sequence: .max - 1, shape: [3])
        let journal = try UpdateJournal(creatingIn: storage, base: base, limits: limits)
        let bytes = storage.bytes
        let larger = try HierarchyChangeSet([.insertItems([path(0, 0)], .automatic)])
            .validated(from: [3], to: [4])
        let error = failure(of: try journal.append(larger))
        #expect(error?.code == .unreadable && storage.bytes == bytes)
        let past = failure(
            of: try journal.compact(upTo: JournalBase(sequence: .max - 1, shape: [4]))
        )
        #expect(past?.code == .stateMismatch && journal.shape == [3])
        // No record follows the largest number.
        #expect(try journal.append(.unchanged([3])) == .max)
        let beyond = failure(of: try journal.append(.unchanged([3])))
        #expect(beyond?.code == .stateMismatch && journal.lastSequence == .max)
        #expect(try UpdateJournal(opening: storage, limits: limits).lastSequence == .max)
        // Narrow limits reject a journal that was written within wide ones.
        let narrow = failure(
            of: try UpdateJournal(opening: storage, limits: ShapeLimits(sections: 9, items: 2))
        )
        #expect(narrow?.code == .noBase)
    }
}

/// A journal, its storage, and a model of both.
private struct JournalStage {
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private var storage = StagedStorage()
    private var journal: UpdateJournal
    private var draws: JournalDraws
    private(set) var step = "create"
    private(set) var openings = 0

    // The model: the bytes of each record, and the last record that was durable when it was
    // written.
    private var records: [ObservedRecord] = []
    private var frames: [(bytes: [UInt8], durable: UInt64)] = []
    private var synced: UInt64 = 0
    private var recovery = JournalRecovery(condition: .whole, offset: 0, discardedByteCount: 0)
    private var durable: [UInt8] = []
    /// The bytes that a failed write left after the records.
    private var rest: [UInt8] = []
    private var failure: JournalError?

    private static let syncings: [JournalSyncPolicy] = [
        .always, .every(0), .every(1), .every(2), .every(3), .never,
    ]

    init(seed: UInt64) throws {
        draws = JournalDraws(seed: seed)
        let base = JournalBase(
            sequence: UInt64(draws.random.next(below: 2) * 5),
            shape: [3, 2],
            digest: draws.digest(),
            payload: draws.payload()
        )
        // Creating a journal replaces the contents of the storage.
        storage.change { $0 = [1, 2, 3] }
        journal = try UpdateJournal(
            creatingIn: storage,
            base: base,
            syncing: Self.syncings[draws.random.next(below: Self.syncings.count)]
        )
        begin(with: base)
    }

    /// Resets the model to a journal with only its base.
    private mutating func begin(with base: JournalBase) {
        records = [ObservedRecord(base)]
        frames = [(storage.bytes, base.sequence)]
        recovery = JournalRecovery(
            condition: .whole,
            offset: storage.bytes.count,
            discardedByteCount: 0
        )
        (synced, durable, rest, failure) = (base.sequence, storage.bytes, [], nil)
    }

    private var last: ObservedRecord { records[records.count - 1] }
    private var bytes: [UInt8] { frames.flatMap(\.bytes) }

    func check() throws {
        let isRight =
            journal.baseSequence == records[0].sequence && journal.lastSequence == last.sequence
            && journal.syncedSequence == synced && journal.shape == last.shape
            && journal.digest == last.digest && journal.recovery == recovery
            && storage.bytes == bytes + rest && storage.durable == durable
        let found = try journal.records()
        if !isRight || found != records { throw Mismatch(description: "\(found), not \(self)") }
        if !storage.faults.isEmpty {
            throw Mismatch(description: "faults not used: \(storage.faults)")
        }
    }

    /// Makes a call and compares the error.
    private func expect(
        _ expected: JournalError?,
        _ body: () throws -> Void
    ) throws {
        var found: JournalError?
        do { try body() } catch let error as JournalError { found = error }
        // The message is compared only for errors of the storage.
        let isSame =
            found?.code == expected?.code && found?.offset == expected?.offset
            && found?.systemError == expected?.systemError && found?.path == expected?.path
            && (expected.map { $0.message.isEmpty || found?.message.contains($0.message) == true }
                ?? true)
        if !isSame {
            throw Mismatch(description: "expected \(expected as Any), found \(found as Any)")
        }
    }

    private func error(_ code: JournalError.Code, at offset: Int? = nil) -> JournalError {
        JournalError(code, "", offset: offset)
    }

    /// The error of every call after a failure.
    private var previousWriteFailed: JournalError? {
        failure.map {
            JournalError(
                .previousWriteFailed,
                $0.message,
                systemError: $0.systemError,
                path: $0.path
            )
        }
    }

    mutating func performStep() throws {
        switch draws.random.next(below: failure == nil ? 16 : 6) {
        case 0...1: try reopen()
        case 2: try sync()
        case 3: try truncate()
        case 4: try corrupt()
        case 5...12: try append()
        case 13: try writeAsAnotherJournal()
        default: try callIncorrectly()
        }
    }

    // MARK: Calls

    private mutating func append() throws {
        let update = try draws.update(from: last.shape)
        let (digest, payload) = (draws.digest(), draws.payload())
        let kind = draws.random.next(below: 12)
        let isSyncedNow =
            switch journal.syncing {
            case .always: true
            case .every(let count): last.sequence + 1 - synced >= UInt64(max(1, count))
            default: false
            }
        let record = ObservedRecord(last.sequence + 1, update, digest, payload)
        step = "append, failing \(kind), \(journal.syncing)"
        let call = { [journal] in
            let number = try journal.append(update, digest: digest, payload: payload)
            if number != record.sequence { throw Mismatch(description: "number \(number)") }
        }
        if let previousWriteFailed { return try expect(previousWriteFailed, call) }
        let kept = draws.random.next(below: 60)
        switch kind {
        case 0:
            storage.faults = [.init(call: .count)]
            return try expect(StagedStorage.error(.count), call)
        case 1:
            storage.faults = [.init(call: .append, kept: kept)]
            return try expect(StagedStorage.error(.append), call)
        case 2:
            storage.faults = [.init(call: .append, kept: kept), .init(call: .truncate)]
            failure = StagedStorage.error(.truncate)
            try expect(StagedStorage.error(.append), call)
            rest = Array(storage.bytes.dropFirst(bytes.count))
            if rest.count > kept { throw Mismatch(description: "kept \(rest)") }
            return
        case 3 where isSyncedNow:
            storage.faults = [.init(call: .sync)]
            failure = StagedStorage.error(.sync)
            try expect(failure, call)
        default: try expect(nil, call)
        }
        let durableThen = journal.syncing == .never ? last.sequence : synced
        frames.append((Array(storage.bytes.dropFirst(bytes.count)), durableThen))
        records.append(record)
        if isSyncedNow, failure == nil { (synced, durable) = (record.sequence, bytes) }
    }

    private mutating func sync() throws {
        let kind = draws.random.next(below: 4)
        step = "sync, failing \(kind)"
        let call = { [journal] in try journal.sync() }
        if let previousWriteFailed { return try expect(previousWriteFailed, call) }
        switch kind {
        case 0:
            storage.faults = [.init(call: .count)]
            try expect(StagedStorage.error(.count), call)
        case 1:
            storage.faults = [.init(call: .sync)]
            failure = StagedStorage.error(.sync)
            try expect(failure, call)
        default:
            try expect(nil, call)
            (synced, durable) = (last.sequence, bytes)
        }
    }

    private mutating func truncate() throws {
        let index = draws.random.next(below: records.count)
        let state = records[index]
        let digest = draws.random.isTrue(oneIn: 2) ? state.digest : state.digest ?? draws.digest()
        let isGiven = draws.random.isTrue(oneIn: 2)
        var base = JournalBase(
            sequence: state.sequence,
            shape: state.shape,
            digest: isGiven ? digest : nil,
            payload: draws.payload()
        )
        let kind = draws.random.next(below: 6)
        step = "truncate at \(state.sequence), failing \(kind)"
        let call = { [journal, base] in try journal.compact(upTo: base) }
        if let previousWriteFailed { return try expect(previousWriteFailed, call) }
        switch kind {
        case 0...1:
            let fault = kind == 0 ? StagedStorage.Call.count : .read
            storage.faults = [.init(call: fault)]
            return try expect(StagedStorage.error(fault), call)
        case 2:
            storage.faults = [.init(call: .replace)]
            failure = StagedStorage.error(.replace)
            return try expect(failure, call)
        default: try expect(nil, call)
        }
        base.digest = base.digest ?? state.digest
        records = [ObservedRecord(base)] + records[(index + 1)...]
        // The kept records have the same lengths.
        let lengths = frames[(index + 1)...].map(\.bytes.count)
        var start = storage.bytes.count - lengths.reduce(0, +)
        var kept = [(Array(storage.bytes[..<start]), base.sequence)]
        for length in lengths {
            kept.append((Array(storage.bytes[start..<start + length]), last.sequence))
            start += length
        }
        frames = kept.map { (bytes: $0.0, durable: $0.1) }
        (synced, durable) = (last.sequence, bytes)
    }

    // MARK: Incorrect calls and other writers

    private mutating func callIncorrectly() throws {
        step = "append from another shape, and truncate at other states"
        let longer = HierarchyShape(last.shape.itemCounts + [draws.random.next(below: 4)])
        let update = try draws.update(from: longer)
        try expect(error(.stateMismatch)) { [journal] in try journal.append(update) }
        let state = records[draws.random.next(below: records.count)]
        var wrong = [JournalBase(sequence: last.sequence + 1, shape: last.shape)]
        // An older state may have had this shape.
        if state.shape != longer {
            wrong.append(JournalBase(sequence: state.sequence, shape: longer))
        }
        if records[0].sequence > 0 {
            wrong.append(JournalBase(sequence: records[0].sequence - 1, shape: records[0].shape))
        }
        if let digest = state.digest {
            let other = StateDigest(low: digest.low, high: digest.high + 1)
            wrong.append(JournalBase(sequence: state.sequence, shape: state.shape, digest: other))
        }
        for base in wrong {
            try expect(error(.stateMismatch)) { [journal] in try journal.compact(upTo: base) }
        }
    }

    /// If another journal has written, this one writes nothing.
    private mutating func writeAsAnotherJournal() throws {
        step = "another journal writes"
        let more = JournalBase(sequence: last.sequence, shape: last.shape)
        storage.change { $0 += [7] }
        let update = try draws.update(from: last.shape)
        try expect(error(.inUse)) { [journal] in try journal.append(update) }
        try expect(error(.inUse)) { [journal] in try journal.sync() }
        try expect(error(.inUse)) { [journal] in try journal.compact(upTo: more) }
        storage.change { $0.removeLast() }
    }

    /// Corrupted bytes are not read as records while the journal is open.
    private mutating func corrupt() throws {
        step = "corrupt the bytes"
        let whole = bytes
        let position = draws.random.next(below: whole.count)
        storage.change { $0[position] ^= 1 << UInt8(draws.random.next(below: 8)) }
        let (kept, end) = prefix(of: storage.bytes)
        let expected = kept == 0 ? error(.noBase, at: 0) : error(.damaged, at: end)
        try expect(expected) { [journal] in _ = try journal.records() }
        if failure == nil {
            let base = JournalBase(sequence: records[0].sequence, shape: records[0].shape)
            try expect(expected) { [journal] in try journal.compact(upTo: base) }
        }
        storage.change { $0[position] = whole[position] }
    }

    // MARK: Opening

    /// Returns the number of records at the start of the bytes, and their end.
    private func prefix(of image: [UInt8]) -> (count: Int, end: Int) {
        var (count, end) = (0, 0)
        for frame in frames {
            guard image[min(end, image.count)...].starts(with: frame.bytes) else { break }
            (count, end) = (count + 1, end + frame.bytes.count)
        }
        return (count, end)
    }

    /// Returns the condition that opening must report.
    private func condition(in image: [UInt8]) -> JournalRecovery.Condition {
        let (count, end) = prefix(of: image)
        if end == image.count { return .whole }
        var start = 0
        var reported: UInt64?
        for (index, frame) in frames.enumerated() {
            if index > count, image[min(start, image.count)...].starts(with: frame.bytes) {
                reported = max(reported ?? 0, frame.durable)
            }
            start += frame.bytes.count
        }
        guard count > 0, let reported else { return .tornTail }
        return reported > records[count - 1].sequence ? .damage : .unsyncedGap
    }

    /// Returns the bytes of the storage after a crash or corruption.
    private mutating func image() -> [UInt8] {
        let now = storage.bytes
        var image = now
        switch draws.random.next(below: 6) {
        case 0: image.removeLast(draws.random.next(below: min(200, now.count + 1)))
        case 1: image += (0...draws.random.next(below: 50)).map { UInt8($0) }
        case 2:
            // Some unsynced bytes are lost or zero.
            let unsynced = now.count - durable.count
            if unsynced > 0 {
                image.removeLast(draws.random.next(below: unsynced))
                let start = durable.count + draws.random.next(below: image.count - durable.count)
                for position in start..<min(image.count, start + 40) { image[position] = 0 }
            }
        case 3...4:
            for _ in 0...draws.random.next(below: 2) where !image.isEmpty {
                let position = draws.random.next(below: image.count)
                image[position] ^= 1 << UInt8(draws.random.next(below: 8))
            }
        default: break
        }
        return image
    }

    private mutating func reopen() throws {
        let image = image()
        let cuts: [JournalRecoveryPolicy] = [.nothing, .dropUnsynced, .truncateAtDamage]
        let cut = cuts[draws.random.next(below: 3)]
        let syncing = Self.syncings[draws.random.next(below: Self.syncings.count)]
        let (count, end) = prefix(of: image)
        let condition = condition(in: image)
        step = "reopen, \(condition), \(cut)"
        openings += 1
        storage = StagedStorage(image)
        let isAllowed =
            condition == .whole || cut == .truncateAtDamage
            || (cut == .dropUnsynced && condition != .damage)
        var expected: JournalError?
        if image.isEmpty {
            expected = error(.empty)
        } else if count == 0 {
            expected = error(.noBase, at: 0)
        } else if !isAllowed {
            expected = error(.damaged, at: end)
        }
        if let expected {
            try expect(expected) { [storage] in
                _ = try UpdateJournal(opening: storage, syncing: syncing, cutting: cut)
            }
            if storage.bytes != image { throw Mismatch(description: "the storage was changed") }
        } else {
            // One call fails at first.
            let isCut = condition != .whole
            let calls: [StagedStorage.Call] = [.count, .read, .sync] + (isCut ? [.truncate] : [])
            let failing = calls[draws.random.next(below: calls.count)]
            storage.faults = [.init(call: failing)]
            try expect(StagedStorage.error(failing)) { [storage] in
                _ = try UpdateJournal(opening: storage, syncing: syncing, cutting: cut)
            }
            storage = StagedStorage(image)
            let journal = try UpdateJournal(opening: storage, syncing: syncing, cutting: cut)
            let changes = storage.calls.filter { $0 != .count && $0 != .read }
            if changes != (isCut ? [.truncate, .sync] : [.sync]) {
                throw Mismatch(description: "\(changes) at opening")
            }
            self.journal = journal
            records.removeLast(records.count - count)
            frames.removeLast(frames.count - count)
            let discardedByteCount = image.count - end
            recovery = JournalRecovery(
                condition: condition,
                offset: end,
                discardedByteCount: discardedByteCount
            )
            (synced, durable, rest, failure) = (last.sequence, bytes, [], nil)
            return
        }
        // The journal cannot be opened this way: starts a new one from the last state.
        let base = JournalBase(sequence: last.sequence, shape: last.shape, digest: draws.digest())
        journal = try UpdateJournal(creatingIn: storage, base: base, syncing: syncing)
        begin(with: base)
    }
}
