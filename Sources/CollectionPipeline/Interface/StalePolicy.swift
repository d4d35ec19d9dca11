/// What happens to an update that was made against a map which is no longer the newest.
///
/// ```swift
/// let seen = controller.pendingMap
/// let update = try changes.validated(from: seen.shape, to: newShape)
/// try await controller.submit(update, recordedAgainst: seen, whenStale: .rebase()) { list, rebased in
///     rebased.update.apply(to: &list.rows) { _ in Row() }
/// }
/// ```
@nonexhaustive
public enum StalePolicy: Hashable, Sendable {
    /// It is rejected as ``UpdateError/Code/stale``.
    case reject
    /// It is brought to the newest map: what others did meanwhile stays, and what of the update has nothing left to
    /// do for is dropped. `order` says whether it counts as the later of the two, so that its insertions stand
    /// behind and its moves win.
    case rebase(_ order: RebaseOrder = .later)
}
