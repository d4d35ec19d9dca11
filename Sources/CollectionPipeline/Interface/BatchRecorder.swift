/// The recorder that an updates closure records into.
///
/// A recorder cannot be copied, so it does not outlive its closure. The records of nested batches
/// are joined in the order in which they are made.
public struct BatchRecorder: ChangeRecording, ~Copyable {
    private let batch: OpenBatch

    init(_ batch: OpenBatch) { self.batch = batch }

    /// Appends one operation to the batch without validating it.
    public mutating func record(_ operation: HierarchyChangeSet.Operation) {
        requireOpen("record(_:)")
        batch.changes.record(operation)
    }

    /// Declares that after this batch no content is older than in the data source: everything that
    /// the closures of rejected submissions changed has been recorded again, in this batch or
    /// before, or was restored in the model.
    ///
    /// When the batch is accepted, it ends ``Divergence/content(since:)``. If the batch is rejected
    /// or its record dropped, the declaration has no effect. The controller cannot check the
    /// declaration: a change that was forgotten stays invisible, and no divergence is reported any
    /// longer.
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

/// An error that an updates closure throws to withdraw before it changes or records anything, for
/// example because the item no longer exists or the request is not allowed.
///
/// ```swift
/// try await controller.performBatchUpdates { list, changes in
///     guard list[0].indices.contains(number) else { throw Withdrawal(NoSuchItem()) }
///     list[0].remove(at: number)
///     changes.deleteItems(at: [ItemPath(section: 0, item: number)])
/// }
/// ```
///
/// The batch is rejected as ``UpdateError/Code/withdrawn``, with the reason as its
/// ``UpdateError/underlyingError``, and nothing diverges. Any other error may have been thrown
/// after the model changed (``UpdateError/Code/updatesThrew``). A withdrawal that is thrown after
/// something was recorded, or within another batch, is treated in the same way.
public struct Withdrawal: Error {
    /// The reason for the withdrawal.
    public let reason: any Error

    /// Creates a withdrawal with its reason.
    public init(_ reason: any Error) { self.reason = reason }
}

extension UpdateError {
    /// Creates the error of a batch whose closure threw.
    init(thrown error: any Error, hasBegun: Bool) {
        let withdrawal = error as? Withdrawal
        let reason = withdrawal?.reason ?? error
        if withdrawal != nil, !hasBegun {
            self.init(
                .withdrawn,
                "The updates closure withdrew before it changed anything: \(reason)",
                underlyingError: reason
            )
        } else {
            self.init(
                .updatesThrew,
                "The updates closure threw, so its whole record was dropped: \(reason)",
                underlyingError: reason
            )
        }
    }
}
