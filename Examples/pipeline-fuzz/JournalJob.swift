import CollectionChanges

/// Tests bytes that the library might have written: its binary encodings, and damaged journals.
enum JournalJob {
    static func run(_ bytes: inout Bytes) {
        if bytes.next() % 2 == 0 { decode(&bytes) } else { damage(&bytes) }
    }

    // MARK: Binary encodings

    private static let limits = ShapeLimits(sections: 1_000, items: 100_000)
    /// The version and kind at the start of each encoding. Decoding stops immediately at other
    /// bytes.
    private static let shapeStart = HierarchyShape().encoded().prefix(2)
    private static let nothing = try? HierarchyChangeSet()
        .validated(from: HierarchyShape(), to: HierarchyShape())
    private static let updateStart = nothing?.encoded().prefix(2) ?? []
    private static let aloneStart = nothing?.encodedWithoutShape().prefix(2) ?? []

    /// Checks that bytes that can be decoded are encoded, decoded and encoded again as the same
    /// bytes.
    private static func decode(_ bytes: inout Bytes) {
        let number = bytes.next() % 3
        let oldShape = HierarchyShape(bytes.counts())
        let (start, written) = form(number, oldShape)
        let input = Array(start) + bytes.rest()
        guard let output = written(input) else { return }
        // A shape has several encodings. The canonical one may be a third longer than the shortest.
        check(output.count <= 2 * input.count, "\(input) is encoded far longer: \(output)")
        check(written(output) == output, "decoding and encoding changes \(output)")
    }

    /// Returns the start of an encoding, and a function that decodes bytes and encodes the result.
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
                        .encodedWithoutShape()
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

    /// Checks that only the first records of a damaged journal are read, and that the journal then
    /// accepts new records.
    private static func damage(_ bytes: inout Bytes) {
        do {
            let storage = MemoryJournalStorage()
            let syncing = bytes.pick([JournalSyncPolicy.always, .every(2), .never])
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
                let cut = bytes.pick([
                    JournalRecoveryPolicy.dropUnsynced, .nothing, .truncateAtDamage,
                ])
                survivor = try UpdateJournal(opening: copy, syncing: syncing, cutting: cut)
            } catch {
                check(image != storage.bytes, "an intact journal cannot be opened: \(error)")
                return check(copy.bytes == image, "a journal was changed, but not opened")
            }
            let found = try records(survivor)
            check(written.starts(with: found), "records that were never written: \(found)")
            check(image != storage.bytes || found == written, "an intact journal lost records")
            let next = try append(to: survivor, &bytes)
            let reopened = try UpdateJournal(opening: copy)
            let all = try records(reopened)
            check(all == found + [next], "a repaired journal does not continue: \(all)")
        } catch {
            check(false, "unexpected error: \(error)")
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
            update: update.encodedWithoutShape(),
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
            // As if two processes had written.
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
                    update: entry.update.encodedWithoutShape(),
                    digest: entry.digest,
                    payload: entry.payload
                )
            )
        }
        return records
    }
}
