import CollectionElements
import CollectionReplication

// What operators do to brokers, and what happens to them.

extension MemoryBroker {
    /// What it keeps; nil where there is no log. To be put back by ``restore(_:)``.
    public var contents: BrokerContents? { state.withLock { $0.contents } }

    /// Puts another state in place of what it keeps, such as an older copy of it.
    ///
    /// - Parameter contents: what it keeps from now on; nil deletes the log, and whoever asks for something is told so
    ///   until a member makes it anew.
    public func restore(_ contents: BrokerContents?) { change { $0.contents = contents } }

    /// Answers that it cannot be reached, until it is started again; reads that wait are told at once.
    public func stop() {
        change { state in
            state.isDown = true
            state.stops += 1
        }
    }

    /// Goes on with what it kept.
    public func start() { change { $0.isDown = false } }

    /// Removes all records up to and including one, as an operator does who needs the room.
    public func purge(through position: UInt64) { change { $0.contents?.purge(through: position) } }

    /// Appends something that no member has asked for, whatever it is.
    public func appendFromStranger(_ record: [UInt8]) {
        change { $0.contents?.add(record, configuration) }
    }

    /// Loses a part of a snapshot.
    ///
    /// - Parameter number: which one of all that there are; any number, from 0.
    public func loseChunk(_ number: Int) {
        change { $0.contents?.loseChunk(max(0, number)) }
    }

    /// Does not know any more which appends it has seen, so that a second attempt is as a first one.
    public func forgetAppends() { change { $0.contents?.forgetAppends() } }

    /// Ends all faults: it runs, everybody reaches it, and nothing goes wrong by itself any more. What it has lost stays
    /// lost.
    public func heal() {
        faults?.end()
        start()
        let connections = state.withLock { $0.connections }
        for connection in connections { connection.log?.mend() }
    }
}
