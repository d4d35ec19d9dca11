import CollectionChanges
import TestSupport

/// A record as a test compares it.
struct NotedRecord: Equatable {
    var sequence: UInt64
    var update: ObservedUpdate?
    var shape: HierarchyShape
    var digest: StateDigest?
    var payload: [UInt8]
}

/// Updates of which each starts where the one before ends.
struct JournalWriter {
    var generator: SeededNumbers
    var shape: HierarchyShape = [3, 2]

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    mutating func next() throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        var counts = shape.itemCounts
        let section = generator.next(below: counts.count)
        if counts[section] > 0, generator.isTrue(oneIn: 2) {
            changes.deleteItems(at: [path(section, generator.next(below: counts[section]))])
            counts[section] -= 1
        } else {
            changes.insertItems(at: [path(section, generator.next(below: counts[section] + 1))])
            counts[section] += 1
        }
        let update = try changes.validated(from: shape, to: HierarchyShape(counts))
        shape = update.newShape
        return update
    }

    mutating func payload() -> [UInt8] {
        // Sometimes with what looks like a record.
        let marker: [UInt8] = generator.isTrue(oneIn: 3) ? [0x43, 0x50, 0x4A, 0x31] : []
        return marker + (0..<generator.next(below: 5)).map { UInt8($0) }
    }
}

/// A suite that writes journals and reads them back.
protocol JournalWriting {}

extension JournalWriting {
    /// What a storage holds: the records in order, the base first.
    func records(_ journal: UpdateJournal) throws -> [NotedRecord] {
        var records: [NotedRecord] = []
        try journal.replay { record in
            switch record {
            case .base(let base):
                records.append(
                    NotedRecord(
                        sequence: base.sequence,
                        update: nil,
                        shape: base.shape,
                        digest: base.digest,
                        payload: base.payload
                    )
                )
            case .update(let entry):
                records.append(
                    NotedRecord(
                        sequence: entry.sequence,
                        update: ObservedUpdate(entry.update),
                        shape: entry.update.newShape,
                        digest: entry.digest,
                        payload: entry.payload
                    )
                )
            }
        }
        return records
    }

    /// Appends `count` updates, and returns what was noted after each.
    func fill(
        _ journal: UpdateJournal,
        _ writer: inout JournalWriter,
        _ count: Int
    ) throws -> [NotedRecord] {
        var noted: [NotedRecord] = []
        for _ in 0..<count {
            let update = try writer.next()
            let digest = writer.generator.isTrue(oneIn: 2) ? StateDigest(low: 7, high: 9) : nil
            let payload = writer.payload()
            let sequence = try journal.append(update, digest: digest, payload: payload)
            noted.append(
                NotedRecord(
                    sequence: sequence,
                    update: ObservedUpdate(update),
                    shape: update.newShape,
                    digest: digest,
                    payload: payload
                )
            )
        }
        return noted
    }

    func base(_ writer: JournalWriter, sequence: UInt64 = 0) -> JournalBase {
        JournalBase(sequence: sequence, shape: writer.shape, payload: [1, 2])
    }
}
