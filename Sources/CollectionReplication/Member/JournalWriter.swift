import CollectionChanges
import CollectionPublishing

/// Writes down what a leader seals, on a lane where that may block: whatever comes while it writes is written together.
final class JournalWriter: Sendable {
    typealias Open = @Sendable () throws(JournalError) -> any JournalStorage

    private let configuration: ReplicationConfiguration
    private let open: Open
    /// Where it is called, and answers.
    private let home: any Lane
    private let lane: any Lane

    // nonisolated(unsafe): the home lane alone reads and writes these.
    /// What waits to be written.
    private nonisolated(unsafe) var unwritten: [PendingRecord] = []
    private nonisolated(unsafe) var isWriting = false
    /// Which leadership it writes for; what comes of an earlier one is of no interest.
    private nonisolated(unsafe) var term = 0

    // nonisolated(unsafe): the journal's lane alone reads and writes this.
    private nonisolated(unsafe) var journal: RecordJournal?

    init(
        _ configuration: ReplicationConfiguration,
        home: any Lane,
        lane: any Lane,
        open: @escaping Open
    ) {
        self.configuration = configuration
        self.home = home
        self.lane = lane
        self.open = open
    }

    /// Reads what an earlier life has left.
    ///
    /// - Parameter body: called on the home lane.
    func restore(
        _ body: @escaping @Sendable (Result<RecordJournal.Restored?, JournalError>) -> Void
    ) {
        let (open, configuration) = (open, configuration)
        lane.enqueue { [weak self] in
            guard let self else { return }
            var result: Result<RecordJournal.Restored?, JournalError>
            do throws(JournalError) {
                let isSynced = configuration.isJournalSynced
                let journal = RecordJournal(try open(), isSynced: isSynced)
                self.journal = journal
                let (key, limits) = (configuration.key, configuration.limits)
                result = .success(try journal.restore(key: key, limits: limits))
            } catch {
                result = .failure(error)
            }
            home.enqueue { [result] in body(result) }
        }
    }

    /// Begins anew with a state, durably.
    func rebase(
        _ snapshot: SnapshotForm,
        _ tell: @escaping @Sendable (Member.Input) -> Void
    ) {
        forget()
        term += 1
        let key = configuration.key
        write(through: snapshot.position.sequence, tell) { (journal) throws(JournalError) in
            try journal.rebase(snapshot.encoded(key: key))
        }
    }

    /// Writes a record.
    ///
    /// - Parameter tell: called on the home lane with what came of it, and of others that came by then.
    func append(_ record: PendingRecord, _ tell: @escaping @Sendable (Member.Input) -> Void) {
        unwritten.append(record)
        writeOn(tell)
    }

    /// What was not written yet is not wanted any more.
    func forget() { unwritten = [] }

    /// Lets go of the storage, and then calls `completion` on the home lane.
    func close(_ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            journal = nil
            home.enqueue(completion)
        }
    }

    private func writeOn(_ tell: @escaping @Sendable (Member.Input) -> Void) {
        guard !isWriting, let last = unwritten.last else { return }
        let records = unwritten.map(\.bytes)
        unwritten = []
        write(through: last.sequence, tell) { (journal) throws(JournalError) in
            try journal.append(records)
        }
    }

    private func write(
        through sequence: UInt64,
        _ tell: @escaping @Sendable (Member.Input) -> Void,
        _ body: @escaping @Sendable (RecordJournal) throws(JournalError) -> Void
    ) {
        isWriting = true
        let term = term
        lane.enqueue { [weak self] in
            guard let self else { return }
            var input = Member.Input.journaled(through: sequence)
            do throws(JournalError) {
                guard let journal else {
                    throw JournalError(.failedBefore, "the journal failed before")
                }
                try body(journal)
            } catch {
                input = .journalFailed(error.message)
                // Nobody knows what it has now.
                journal = nil
            }
            home.enqueue { [weak self, input] in
                guard let self, term == self.term else { return }
                isWriting = false
                tell(input)
                writeOn(tell)
            }
        }
    }
}
