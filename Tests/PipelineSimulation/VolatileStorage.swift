import CollectionChanges
import PipelineTesting

/// A journal's storage on a machine that may lose power during any call, and with it all unsynced
/// writes.
package final class VolatileStorage: JournalStorage, @unchecked Sendable {  // one thread
    private enum Write {
        case append([UInt8])
        case truncate(Int)
    }

    /// The bytes that survive any loss of power.
    private var durable: [UInt8]
    /// The writes since then, of which any prefix may survive.
    private var writes: [Write] = []
    private var bytes: [UInt8]
    private var random: SeededGenerator
    /// Whether pages may be written in another order than that of the calls.
    private let leavesGaps: Bool

    /// The number of calls until the power is lost; `nil` for no loss.
    package var callsLeft: Int?

    /// Whether the power is lost, so that every call fails.
    package private(set) var isDown = false

    package init(_ random: SeededGenerator, leavesGaps: Bool) {
        (durable, bytes) = ([], [])
        self.random = random
        self.leavesGaps = leavesGaps
    }

    package func byteCount() throws(JournalError) -> Int {
        try call()
        return bytes.count
    }

    package func read(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
        try call()
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            throw JournalError(.storage, "bytes \(range) are not among \(bytes.count)")
        }
        return Array(bytes[range])
    }

    package func append(_ more: [UInt8]) throws(JournalError) {
        try requirePower()
        writes.append(.append(more))
        bytes += more
        try call()
    }

    package func truncate(to byteCount: Int) throws(JournalError) {
        try requirePower()
        writes.append(.truncate(byteCount))
        bytes.removeLast(bytes.count - byteCount)
        try call()
    }

    package func replaceAll(with other: [UInt8]) throws(JournalError) {
        try call()
        (durable, bytes, writes) = (other, other, [])
        // The power can also be lost after the write and before the call returns.
        try call()
    }

    package func sync() throws(JournalError) {
        try call()
        (durable, writes) = (bytes, [])
    }

    /// Loses the power if this is the chosen call.
    private func call() throws(JournalError) {
        if callsLeft == 0 { losePower() }
        if let left = callsLeft { callsLeft = left - 1 }
        try requirePower()
    }

    private func requirePower() throws(JournalError) {
        if isDown { throw JournalError(.storage, "the power is gone") }
    }

    package func losePower() {
        isDown = true
        callsLeft = nil
    }

    /// Restarts the machine with the surviving bytes.
    package func restart() {
        losePower()
        isDown = false
        var survivors = durable
        let count = random.isTrue(oneIn: 2) ? writes.count : random.next(below: writes.count + 1)
        for write in writes.prefix(count) {
            switch write {
            case .append(let more): survivors += more
            case .truncate(let count): survivors.removeLast(max(0, survivors.count - count))
            }
        }
        let unsyncedCount = survivors.count - durable.count
        if unsyncedCount > 0 {
            switch random.next(below: leavesGaps ? 4 : 2) {
            case 0: break
            case 1: survivors.removeLast(random.next(below: unsyncedCount))
            default:
                // A page that was never written contains zeros; later pages may have been written.
                let start = durable.count + random.next(below: (unsyncedCount + 1) / 2)
                let end = min(survivors.count, start + 1 + random.next(below: 64))
                for position in start..<end { survivors[position] = 0 }
            }
        }
        (durable, bytes, writes) = (survivors, survivors, [])
    }
}
