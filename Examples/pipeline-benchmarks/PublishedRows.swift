import CollectionPublishing

/// A hub's ledger over rows of one section, and readers: some that are told, and some that are paused.
struct PublishedRows {
    private let missed: MissedChanges
    private var ledger = HubLedger(HubConfiguration())
    private(set) var paused: [ReaderProgress] = []
    private var listening: [ReaderProgress] = []
    private var version = 0
    /// The next of those that pass.
    private var next = 0
    private var last: ValidatedChangeSet?

    /// What every row shows: some eighty bytes, as a short row of HTML.
    private static let payload = PublishedPayload(String(repeating: "<b>row</b>", count: 8))

    init(_ missed: MissedChanges) throws {
        self.missed = missed
        publish(try HierarchyChangeSet([.reloadData()]).validated(from: [], to: missed.shape))
    }

    private mutating func publish(_ update: ValidatedChangeSet) {
        version += 1
        ledger.publish(RenderedUpdate(update, to: version, item: { _ in Self.payload }))
        ledger.announce()
    }

    /// One of those that pass.
    mutating func publishPassing() {
        publish(missed.passing[next])
        next = (next + 1) % missed.passing.count
    }

    /// What lasts, and then what passes, over and over and to its end each time, up to `count` in all.
    mutating func publishMissed(_ count: Int) {
        for update in missed.lasting { publish(update) }
        publishAgain(count - missed.lasting.count)
    }

    /// What passes, over and over and to its end each time, up to `count`.
    mutating func publishAgain(_ count: Int) {
        let rounds = max(0, count) / max(1, missed.passing.count)
        for _ in 0..<rounds * missed.passing.count { publishPassing() }
    }

    /// One of those that pass, told to everybody who is not paused.
    mutating func publishAndTell() {
        publishPassing()
        for index in listening.indices {
            if ledger.next(for: &listening[index]) != nil { BlackHole.consume(1) }
        }
    }

    /// Readers join, are told everything, and pause.
    mutating func pause(_ count: Int) { paused = join(count) }

    /// Readers join, and are told everything.
    mutating func listen(_ count: Int) { listening += join(count) }

    private mutating func join(_ count: Int) -> [ReaderProgress] {
        (0..<count).map { _ in
            var reader = ReaderProgress()
            if ledger.next(for: &reader) != nil { BlackHole.consume(1) }
            return reader
        }
    }

    /// The reader that paused last goes on.
    mutating func resumeOne() {
        guard var reader = paused.popLast(), case .update(let update)? = ledger.next(for: &reader)
        else { return }
        last = update.changeSet
        BlackHole.consume(UInt(update.changeSet.edits.count))
    }

    /// How many bytes what it was told takes, without payloads.
    var encodedByteCount: Int { last?.encodedAlone().count ?? 0 }
}

/// Readers of a hub that are paused.
struct HubReaders {
    /// What one takes, with its handle and its callback; nil where nobody knows.
    let bytesOfEach: Double?

    init(count: Int) {
        let hub = UpdateHub()
        // The first ones leave behind what lanes keep for the next.
        withExtendedLifetime(Self.readers(of: hub, count)) {}
        hub.waitForReport()
        let mark = Heap.Mark()
        let readers = Self.readers(of: hub, count)
        bytesOfEach = mark.map { Double($0.growth) / Double(max(1, count)) }
        withExtendedLifetime(readers) {}
    }

    private static func readers(of hub: UpdateHub, _ count: Int) -> [HubReader] {
        let readers = (0..<count).compactMap { number in
            try? hub.addReader { _ in
                BlackHole.consume(UInt(number))
                return .pause
            }
        }
        hub.waitForReport()
        return readers
    }
}

extension UpdateHub {
    /// Returns when everything before has been done.
    fileprivate func waitForReport() {
        let done = SemaphoreSignal()
        report { _ in done.signal() }
        done.wait()
    }
}
