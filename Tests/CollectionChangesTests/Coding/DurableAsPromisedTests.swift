import TestSupport
import Testing

@testable import CollectionChanges

/// Records that a journal reports as synced survive a loss of power in any call, and no other
/// records are read back.
@Suite("Durable As Promised")
struct DurableAsPromisedTests {
    /// The calls of a journal, and the synced sequence before each write of the storage.
    private struct JournalRun {
        let syncing: JournalSyncPolicy
        var records: [ObservedRecord] = []
        var writes: [StagedStorage.Write] = []
        var promises: [UInt64] = []

        init(_ syncing: JournalSyncPolicy, seed: UInt64) throws {
            self.syncing = syncing
            var draws = JournalDraws(seed: seed)
            let storage = StagedStorage()
            let base = JournalBase(sequence: 0, shape: [3, 2], payload: [1, 2])
            let journal = try UpdateJournal(creatingIn: storage, base: base, syncing: syncing)
            records.append(ObservedRecord(base))
            var lastPromise: UInt64 = 0
            func note() {
                // During the writes of a call, only earlier promises are certain.
                let count = storage.writes.count - promises.count
                promises += Array(repeating: lastPromise, count: count)
                lastPromise = journal.syncedSequence
            }
            note()
            for step in 1...12 {
                let update = try draws.update(from: journal.shape)
                let (digest, payload) = (draws.digest(), draws.payload())
                let number = try journal.append(update, digest: digest, payload: payload)
                records.append(ObservedRecord(number, update, digest, payload))
                note()
                if step == 8 {
                    let state = records[4]
                    try journal.compact(
                        upTo: JournalBase(sequence: 4, shape: state.shape, digest: state.digest)
                    )
                    note()
                }
                if step == 6 || step == 10 {
                    try journal.sync()
                    note()
                }
            }
            promises.append(lastPromise)
            writes = storage.writes
        }
    }

    @Test(arguments: [JournalSyncPolicy.always, .every(3), .never])
    func anyLossOfPowerKeepsAPrefixWithEverythingSynced(_ syncing: JournalSyncPolicy)
        throws
    {
        for seed in UInt64(0)..<Effort.number(10, usually: 2) {
            let run = try JournalRun(syncing, seed: seed)
            var random = SeededNumbers(seed: seed)
            // The bytes that survive in any case, and those that have been written since then.
            var durable: [UInt8] = []
            var pending: [UInt8] = []
            var faults: [String] = []
            for (index, write) in run.writes.enumerated() {
                let promise = run.promises[index]
                var images: [(bytes: [UInt8], hasGap: Bool)] = []
                switch write {
                case .append(let more):
                    let stride = Effort.number(1, usually: 3)
                    for torn in Swift.stride(from: 0, through: more.count, by: stride) {
                        images.append((durable + pending + more.prefix(torn), false))
                    }
                    pending += more
                    for _ in 0..<4 {
                        // Later bytes may survive without earlier ones, or no bytes at all.
                        let count = random.next(below: pending.count + 1)
                        images.append((durable + pending.prefix(count), false))
                        var gap = pending
                        let start = random.next(below: gap.count)
                        for place in start..<min(gap.count, start + 50) { gap[place] = 0 }
                        images.append((durable + gap, true))
                    }
                case .replace(let all):
                    if index > 0 { images.append((durable + pending, false)) }
                    (durable, pending) = (all, [])
                    images.append((durable, false))
                case .sync:
                    images.append((durable + pending, false))
                    (durable, pending) = (durable + pending, [])
                case .truncate: faults.append("unexpected truncation")
                }
                for (image, hasGap) in images {
                    if let fault = fault(after: image, hasGap, run, promise) {
                        faults.append("write \(index), \(image.count) bytes: \(fault)")
                    }
                }
            }
            #expect(faults.first == nil, "seed \(seed)")
            #expect(run.promises.last == run.records.last?.sequence || syncing != .always)
        }
    }

    private func fault(
        after image: [UInt8],
        _ hasGap: Bool,
        _ run: JournalRun,
        _ promise: UInt64
    ) -> String? {
        let storage = MemoryJournalStorage(image)
        let journal: UpdateJournal
        do {
            journal = try UpdateJournal(opening: storage)
        } catch {
            // Without any sync, gaps are not recognized as the result of a crash.
            return hasGap && run.syncing == .never && error.code == .damaged ? nil : "\(error)"
        }
        do {
            let last = journal.lastSequence
            if last < promise { return "expected at least \(promise), found \(last)" }
            let found = try journal.records().dropFirst()
            let base = journal.baseSequence
            let expected = run.records.filter { $0.sequence > base && $0.sequence <= last }
            if Array(found) != expected { return "wrong records" }
            // The journal continues as if nothing had happened.
            var draws = JournalDraws(seed: 99)
            try journal.append(try draws.update(from: journal.shape))
            let again = try UpdateJournal(opening: storage, cutting: .nothing)
            return again.lastSequence == last + 1 ? nil : "the journal does not continue"
        } catch {
            return "\(error)"
        }
    }
}
