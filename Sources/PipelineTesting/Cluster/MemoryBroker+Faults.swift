import CollectionElements
import CollectionReplication

// What goes wrong with a broker by itself: chosen whenever a request reaches it, so that there is no fault in between
// that nobody could notice.

extension MemoryBroker {
    /// How many older copies of everything there are, and how many records for strangers to copy.
    private static let keptCopies = 8

    /// Lets happen what is to happen before the next request.
    func disturb() {
        guard let faults else { return }
        if faults.happens(.brokerIsDown) { stopForAWhile(faults) }
        if faults.happens(.storeIsRolledBack) { rollBack(faults) }
        if faults.happens(.logIsDeleted) { restore(nil) }
        if faults.happens(.recordsArePurged) { purgeSome(faults) }
        if faults.happens(.chunkIsLost) { loseChunk(faults.number(below: 1 << 20)) }
        if faults.happens(.appendsAreForgotten) { forgetAppends() }
        if faults.happens(.strangerAppends) { appendFromStranger(strangeRecord(faults)) }
    }

    /// Keeps what faults need later of a record that was appended.
    func keepForFaults(_ record: [UInt8]) {
        guard let faults else { return }
        let place = faults.number(below: 2 * Self.keptCopies)
        state.withLock { state in
            guard place < Self.keptCopies, let contents = state.contents else { return }
            if state.copies.count < Self.keptCopies {
                state.copies.append(contents)
                state.seen.append(record)
            } else {
                (state.copies[place], state.seen[place]) = (contents, record)
            }
        }
    }

    private func stopForAWhile(_ faults: BrokerFaults) {
        stop()
        let stops = state.withLock { $0.stops }
        environment.schedule(after: faults.delay(), on: lane) { [weak self] in
            self?.change { if $0.stops == stops { $0.isDown = false } }
        }
    }

    private func rollBack(_ faults: BrokerFaults) {
        let copies = state.withLock { $0.copies }
        if copies.isEmpty { return }
        restore(copies[faults.number(below: copies.count)])
    }

    private func purgeSome(_ faults: BrokerFaults) {
        guard let contents, contents.first <= contents.last else { return }
        let count = Int(contents.last - contents.first) + 1
        // All of it as often as any part of it.
        let purged = faults.number(below: 2) == 0 ? count : 1 + faults.number(below: count)
        purge(through: contents.first + UInt64(purged) - 1)
    }

    /// A record that no member meant to be there.
    private func strangeRecord(_ faults: BrokerFaults) -> [UInt8] {
        let seen = state.withLock { $0.seen }
        let known = seen.isEmpty ? [] : seen[faults.number(below: seen.count)]
        switch faults.number(below: 5) {
        case 0: return faults.bytes(upTo: 200)
        case 1: return known
        case 2: return Array(known.prefix(faults.number(below: known.count + 1)))
        case 3:
            var damaged = known
            if known.isEmpty { return [] }
            let place = faults.number(below: known.count)
            damaged[place] ^= 1 << UInt8(faults.number(below: 8))
            return damaged
        default:
            let foreign = faults.foreignRecords
            return foreign.isEmpty ? known : foreign[faults.number(below: foreign.count)]
        }
    }
}
