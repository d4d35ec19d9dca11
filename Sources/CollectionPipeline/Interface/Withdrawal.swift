/// What an updates closure throws that finds, before it changes or records anything, that it must not go on: the item is
/// gone, say, or the request is not allowed.
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
/// ``UpdateError/underlyingError``, and nothing diverges. Any other error may have been thrown after the model had changed
/// (``UpdateError/Code/updatesThrew``), and so counts one that is thrown after something was recorded, or within
/// another batch.
public struct Withdrawal: Error {
    /// Why the closure did not go on.
    public let reason: any Error

    /// Gives up for a reason.
    public init(_ reason: any Error) { self.reason = reason }
}

extension UpdateError {
    /// What a batch ends with whose closure threw.
    init(thrown error: any Error, hasBegun: Bool) {
        let withdrawal = error as? Withdrawal
        let reason = withdrawal?.reason ?? error
        if withdrawal != nil, !hasBegun {
            self.init(
                .withdrawn,
                "The updates closure withdrew, and so says that it changed nothing: \(reason)",
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
