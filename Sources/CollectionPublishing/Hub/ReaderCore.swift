/// A reader as the hub has it: of the whole list (``ListReaderCore``) or of a window (``WindowReaderCore``).
class ReaderCore: @unchecked Sendable {  // the hub's lane alone reads and writes what can change
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

    /// It has been told everything that it takes, and waits: for more, or to be resumed.
    func wait(among listeners: inout Listeners, _ ledger: inout HubLedger) {}

    /// It does not wait for more any longer.
    func stopWaiting(among listeners: inout Listeners, _ ledger: HubLedger) {}

    /// Nothing is kept for it any more.
    func leave(_ ledger: inout HubLedger) {}
}

/// The readers that can be told more.
struct Listeners {
    /// Of the whole list, in no order that means anything.
    var list: [ListReaderCore] = []
    var windows = WindowTable()

    var count: Int { list.count + windows.readers.count }
}

/// A reader of the whole list.
final class ListReaderCore: ReaderCore, @unchecked Sendable {  // as the class that it is of
    var progress: ReaderProgress
    /// Where it stands among those who can be told more.
    var index: Int32?

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

    override func wait(among listeners: inout Listeners, _ ledger: inout HubLedger) {
        if isPaused { return }
        index = Int32(clamping: listeners.list.count)
        listeners.list.append(self)
    }

    override func stopWaiting(among listeners: inout Listeners, _ ledger: HubLedger) {
        guard let index else { return }
        let last = listeners.list.removeLast()
        if last !== self {
            listeners.list[Int(index)] = last
            last.index = index
        }
        self.index = nil
    }

    override func leave(_ ledger: inout HubLedger) { ledger.leave(&progress) }
}

/// A reader of a window.
final class WindowReaderCore: ReaderCore, @unchecked Sendable {  // as the class that it is of
    var progress: WindowProgress
    /// Where it stands among the windows of those who can be told more.
    var index: Int?

    init(
        _ progress: WindowProgress,
        isPaused: Bool,
        _ receiver: @escaping @Sendable (HubMessage) -> ReaderDemand
    ) {
        self.progress = progress
        super.init(isPaused: isPaused, receiver)
    }

    override var isDone: Bool { progress.position == .ended }

    override func next(by ledger: inout HubLedger) -> HubMessage? { ledger.next(for: &progress) }

    override func wait(among listeners: inout Listeners, _ ledger: inout HubLedger) {
        if isPaused { return ledger.pause(&progress) }
        ledger.listen(&progress)
        listeners.windows.append(self, numberOfRows: ledger.announcedRows.numberOfRows)
    }

    override func stopWaiting(among listeners: inout Listeners, _ ledger: HubLedger) {
        listeners.windows.remove(self, at: ledger.announced.version.number)
    }

    override func leave(_ ledger: inout HubLedger) { ledger.leave(&progress) }
}
