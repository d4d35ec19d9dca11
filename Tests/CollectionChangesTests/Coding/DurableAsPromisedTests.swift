import TestSupport
import Testing

@testable import CollectionChanges

/// What a journal says is synced survives the loss of power in any call, and nothing else is read back.
@Suite("Durable As Promised")
struct DurableAsPromisedTests {
    /// A journal's life, and what it had promised before each of the storage's writes.
    private struct Life {
        let syncing: JournalSyncing
        var noted: [NotedRecord] = []
        var writes: [StagedStorage.Write] = []
        var promises: [UInt64] = []

        init(_ syncing: JournalSyncing, seed: UInt64) throws {
            self.syncing = syncing
            var draws = JournalDraws(seed: seed)
            let storage = StagedStorage()
            let base = JournalBase(sequence: 0, shape: [3, 2], payload: [1, 2])
            let journal = try UpdateJournal(creatingIn: storage, base: base, syncing: syncing)
            noted.append(NotedRecord(base))
            var lastPromise: UInt64 = 0
            func note() {
                // While the writes of a call are done, only what was promised before it is certain.
                let count = storage.writes.count - promises.count
                promises += Array(repeating: lastPromise, count: count)
                lastPromise = journal.syncedSequence
            }
            note()
            for step in 1...12 {
                let update = try draws.update(from: journal.shape)
                let (digest, payload) = (draws.digest(), draws.payload())
                let number = try journal.append(update, digest: digest, payload: payload)
                noted.append(NotedRecord(number, update, digest, payload))
                note()
                if step == 8 {
                    let state = noted[4]
                    try journal.truncate(
                        behind: JournalBase(sequence: 4, shape: state.shape, digest: state.digest)
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

    @Test(arguments: [JournalSyncing.always, .every(3), .never])
    func afterALossOfPowerAnywhereAPrefixSurvivesWithAllThatWasSynced(_ syncing: JournalSyncing)
        throws
    {
        for seed in UInt64(0)..<Effort.number(10, usually: 2) {
            let life = try Life(syncing, seed: seed)
            var random = SeededNumbers(seed: seed)
            // What survives in any case, and what was written since.
            var durable: [UInt8] = []
            var pending: [UInt8] = []
            var faults: [String] = []
            for (index, write) in life.writes.enumerated() {
                let promise = life.promises[index]
                var images: [(bytes: [UInt8], hasGap: Bool)] = []
                switch write {
                case .append(let more):
                    let stride = Effort.number(1, usually: 3)
                    for torn in Swift.stride(from: 0, through: more.count, by: stride) {
                        images.append((durable + pending + more.prefix(torn), false))
                    }
                    pending += more
                    for _ in 0..<4 {
                        // Later bytes may be there without earlier ones, or none at all.
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
                case .truncate: faults.append("nothing was to be cut")
                }
                for (image, hasGap) in images {
                    if let fault = fault(after: image, hasGap, life, promise) {
                        faults.append("write \(index), \(image.count) bytes: \(fault)")
                    }
                }
            }
            #expect(faults.first == nil, "seed \(seed)")
            #expect(life.promises.last == life.noted.last?.sequence || syncing != .always)
        }
    }

    private func fault(
        after image: [UInt8],
        _ hasGap: Bool,
        _ life: Life,
        _ promise: UInt64
    ) -> String? {
        let storage = MemoryJournalStorage(image)
        let journal: UpdateJournal
        do {
            journal = try UpdateJournal(opening: storage)
        } catch {
            // Where nothing is ever synced, gaps are not taken for what a crash does.
            return hasGap && life.syncing == .never && error.code == .damaged ? nil : "\(error)"
        }
        do {
            let last = journal.lastSequence
            if last < promise { return "\(promise) was promised, but \(last) is the last" }
            let found = try journal.records().dropFirst()
            let base = journal.baseSequence
            let expected = life.noted.filter { $0.sequence > base && $0.sequence <= last }
            if Array(found) != expected { return "other records" }
            // It goes on as if nothing had been.
            var draws = JournalDraws(seed: 99)
            try journal.append(try draws.update(from: journal.shape))
            let again = try UpdateJournal(opening: storage, cutting: .nothing)
            return again.lastSequence == last + 1 ? nil : "it does not go on"
        } catch {
            return "\(error)"
        }
    }
}
