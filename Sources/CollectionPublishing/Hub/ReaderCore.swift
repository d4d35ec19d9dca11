/// A reader as the hub has it: of the whole list (``ListReaderCore``) or of a window (``WindowReaderCore``).
///
/// Threading: the hub's lane alone reads and writes what can change.
class ReaderCore: @unchecked Sendable {
    /// Whether it cannot be told more until it is resumed.
    final var isPaused: Bool
    /// What it is told by; nil when it has ended.
    private final var receiver: (@Sendable (HubMessage) -> ReaderDemand)?

    init(isPaused: Bool, _ receiver: @escaping @Sendable (HubMessage) -> ReaderDemand) {
        self.isPaused = isPaused
        self.receiver = receiver
    }

    final var hasEnded: Bool { receiver == nil }

    final func receive(_ message: HubMessage) -> ReaderDemand { receiver?(message) ?? .pause }

    final func end() { receiver = nil }

    /// Whether it was told that nothing comes any more.
    var isDone: Bool { false }

    /// What it is told next.
    func next(by ledger: inout HubLedger) -> HubMessage? { nil }

    /// Nothing is kept for it any more.
    func leave(_ ledger: inout HubLedger) {}
}

/// A reader of the whole list.
final class ListReaderCore: ReaderCore, @unchecked Sendable {
    var progress: ReaderProgress
    /// Where it stands among those who can be told more.
    var place: Int32?

    init(
        _ progress: ReaderProgress,
        isPaused: Bool,
        _ receiver: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) {
        self.progress = progress
        super.init(isPaused: isPaused, receiver)
    }

    override var isDone: Bool { progress.position == .ended }

    override func next(by ledger: inout HubLedger) -> HubMessage? { ledger.next(for: &progress) }

    override func leave(_ ledger: inout HubLedger) { ledger.leave(&progress) }
}

/// A reader of a window.
final class WindowReaderCore: ReaderCore, @unchecked Sendable {
    var window: WindowProgress
    /// Where it stands among the windows of those who can be told more.
    var place: Int?

    init(
        _ window: WindowProgress,
        isPaused: Bool,
        _ receiver: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) {
        self.window = window
        super.init(isPaused: isPaused, receiver)
    }

    override var isDone: Bool { window.position == .ended }

    override func next(by ledger: inout HubLedger) -> HubMessage? { ledger.next(for: &window) }

    override func leave(_ ledger: inout HubLedger) { ledger.leave(&window) }
}
