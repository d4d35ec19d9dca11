import CollectionChanges

/// Bytes that were or might have been written by the library: its binary forms, and journals that something happened to.
enum JournalJob {
    static func run(_ bytes: inout Bytes) {
        if bytes.next() % 2 == 0 { decode(&bytes) } else { damage(&bytes) }
    }

    // MARK: Binary forms

    private static let limits = ShapeLimits(sections: 1_000, items: 100_000)
    /// The version and kind that each form begins with; behind anything else nothing is read.
    private static let shapeStart = HierarchyShape().encoded().prefix(2)
    private static let nothing = try? HierarchyChangeSet()
        .validated(from: HierarchyShape(), to: HierarchyShape())
    private static let updateStart = nothing?.encoded().prefix(2) ?? []
    private static let aloneStart = nothing?.encodedAlone().prefix(2) ?? []

    /// What can be read is written, read again and written as the same bytes.
    private static func decode(_ bytes: inout Bytes) {
        let number = bytes.next() % 3
        let oldShape = HierarchyShape(bytes.counts())
        let (start, written) = form(number, oldShape)
        let input = Array(start) + bytes.rest()
        guard let output = written(input) else { return }
        // A shape has several forms, of which the one that is written may be a third longer than the shortest.
        check(output.count <= 2 * input.count, "\(input) is read, and far longer as \(output)")
        check(written(output) == output, "\(output) is not read and written as itself")
    }

    /// How a form begins, and what is written of what is read from some bytes.
    private static func form(
        _ number: UInt8,
        _ oldShape: HierarchyShape
    ) -> (start: ArraySlice<UInt8>, written: ([UInt8]) -> [UInt8]?) {
        switch number {
        case 0: (shapeStart, { try? HierarchyShape(decoding: $0, limits: limits).encoded() })
        case 1: (updateStart, { try? ValidatedChangeSet(decoding: $0, limits: limits).encoded() })
        default:
            (
                aloneStart,
                {
                    try? ValidatedChangeSet(decoding: $0, from: oldShape, limits: limits)
                        .encodedAlone()
                }
            )
        }
    }

    // MARK: Journals

    private struct Record: Equatable {
        var update: [UInt8]
        var digest: StateDigest?
        var payload: [UInt8]
    }

    /// Of a damaged journal some records from the first on are read, and no others; then it goes on.
    private static func damage(_ bytes: inout Bytes) {
        do {
            let storage = MemoryJournalStorage()
            let syncing = bytes.pick([JournalSyncing.always, .every(2), .never])
            let journal = try UpdateJournal(
                creatingIn: storage,
                base: JournalBase(shape: [2, 1]),
                syncing: syncing
            )
            var written: [Record] = []
            for _ in 0..<Int(bytes.next() % 6) { written.append(try append(to: journal, &bytes)) }
            let image = damaged(storage.bytes, &bytes)
            let survivor: UpdateJournal
            let copy = MemoryJournalStorage(image)
            do {
                let cut = bytes.pick([JournalCut.unpromised, .nothing, .everythingAfterDamage])
                survivor = try UpdateJournal(opening: copy, syncing: syncing, cutting: cut)
            } catch {
                check(image != storage.bytes, "a whole journal is not opened: \(error)")
                return check(copy.bytes == image, "a journal that is not opened is changed")
            }
            let found = try records(survivor)
            check(written.starts(with: found), "what is read was never written: \(found)")
            check(image != storage.bytes || found == written, "records of a whole journal are lost")
            let next = try append(to: survivor, &bytes)
            let reopened = try UpdateJournal(opening: copy)
            let all = try records(reopened)
            check(all == found + [next], "a journal that was mended does not go on: \(all)")
        } catch {
            check(false, "without any reason: \(error)")
        }
    }

    private static func append(
        to journal: UpdateJournal,
        _ bytes: inout Bytes
    ) throws -> Record {
        var counts = journal.shape.itemCounts
        let section = Int(bytes.next()) % counts.count
        var changes = HierarchyChangeSet()
        if counts[section] > 0, bytes.next() % 2 == 0 {
            counts[section] -= 1
            changes.deleteItems(at: [ItemPath(section: section, item: counts[section])])
        } else {
            changes.insertItems(at: [ItemPath(section: section, item: 0)])
            counts[section] += 1
        }
        let update = try changes.validated(from: journal.shape, to: HierarchyShape(counts))
        let byte = bytes.next()
        let record = Record(
            update: update.encodedAlone(),
            digest: byte % 2 == 0 ? nil : StateDigest(low: UInt64(byte), high: 1),
            payload: (0..<Int(byte % 7)).map { _ in bytes.next() }
        )
        try journal.append(update, digest: record.digest, payload: record.payload)
        return record
    }

    private static func damaged(_ image: [UInt8], _ bytes: inout Bytes) -> [UInt8] {
        var image = image
        for _ in 0..<Int(bytes.next() % 4) where !image.isEmpty {
            let place = (Int(bytes.next()) << 8 | Int(bytes.next())) % image.count
            switch bytes.next() % 5 {
            case 0: image[place] ^= 1 << (bytes.next() % 8)
            case 1: image.removeLast(image.count - place)
            case 2:
                for position in place..<min(image.count, place + 32) { image[position] = 0 }
            case 3: image.append(bytes.next())
            // As where two have written.
            default: image += image[place...]
            }
        }
        return image
    }

    private static func records(_ journal: UpdateJournal) throws -> [Record] {
        var records: [Record] = []
        try journal.replay { record in
            guard case .update(let entry) = record else { return }
            records.append(
                Record(
                    update: entry.update.encodedAlone(),
                    digest: entry.digest,
                    payload: entry.payload
                )
            )
        }
        return records
    }
}
