/// What an updates closure records into.
///
/// It cannot be copied, and so does not outlive its closure. Records of nested batches join in the order in which
/// they are made.
public struct BatchRecorder: ChangeRecording, ~Copyable {
    private let batch: OpenBatch

    init(_ batch: OpenBatch) { self.batch = batch }

    /// Appends one operation to the batch; nothing is validated.
    public mutating func record(_ operation: HierarchyChangeSet.Operation) {
        requireOpen("record(_:)")
        batch.changes.record(operation)
    }

    /// Says that with this batch nothing is older than in the data source: whatever the closures of
    /// rejected submissions changed has been recorded again, here or before, or was put back in the model.
    ///
    /// When the batch is accepted, it ends ``Divergence/content(since:)``; it goes with the record when
    /// that is rejected or dropped. The controller cannot check it: what was forgotten is
    /// shown as it was, and nothing says so any more.
    public mutating func declareContentCurrent() {
        requireOpen("declareContentCurrent()")
        batch.declaresContentCurrent = true
    }

    private func requireOpen(_ call: StaticString) {
        require(
            batch.isOpen,
            "A batch must be recorded into before it ends, but \(call) was called afterwards; keep no"
                + " recorder, and open another batch"
        )
    }
}
