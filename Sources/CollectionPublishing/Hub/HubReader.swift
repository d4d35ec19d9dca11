/// A reader of a hub. The reader leaves when this object is released.
///
/// Threading: every member may be called from any thread, including from the reader's own callback.
public final class HubReader: Sendable {
    private let core: HubCore
    private let reader: ReaderCore

    init(_ core: HubCore, _ reader: ReaderCore) {
        self.core = core
        self.reader = reader
    }

    deinit { core.leave(reader) }

    /// Requests the next message after ``ReaderDemand/pause``. Call it once for each pause. The
    /// method does nothing if the reader is not paused. If the reader is about to pause, it
    /// continues instead.
    ///
    /// All missed updates arrive as one (Resume Costs The Difference).
    public func resume() { core.resume(reader) }

    /// Moves the window to another part of the list. The reader receives the difference from its
    /// current contents, and the new position. It receives nothing if neither changes. The method
    /// may be called at any time. The new window replaces earlier ones that the reader has not
    /// received yet.
    ///
    /// - Throws: An error if the window has negative rows or too many, or if the reader follows the
    ///   whole list.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        guard let reader = reader as? WindowReaderCore else { throw .notWindowed }
        try window.check(limit: core.configuration.windowRowLimit)
        core.setWindow(window, of: reader)
    }

    /// Ends the reader. A message that is in transit may still arrive, but no other message does.
    /// The hub keeps nothing for the reader.
    public func leave() { core.leave(reader) }
}

/// The state of a hub, for a health endpoint or a log.
public struct HubReport: Hashable, Sendable {
    /// The newest version that readers may have.
    public let version: PublishedVersion
    /// The number of readers.
    public let readers: Int
    /// The number of readers that have received everything and wait for more; the others are
    /// paused.
    public let waitingReaders: Int
    /// The number of versions that a reader can resume from.
    public let knownVersions: Int
    /// The number of change sets that are kept for resuming readers, including composed ones.
    public let keptChangeSets: Int
}

/// The form in which a reader receives several missed updates.
public enum ReaderPolicy: Hashable, Sendable {
    /// The reader receives one minimal update with the combined changes. This is the default.
    case coalesced
    /// The reader receives each update separately if it is at most `limit` announcements behind and
    /// the hub still keeps them (``HubConfiguration/recentUpdateLimit``); otherwise it receives one
    /// combined update.
    case separate(limit: Int)
}

/// A reader's response to a message: whether it can accept another one.
public enum ReaderDemand: Hashable, Sendable {
    /// The reader accepts another message at any time.
    case more
    /// The reader accepts no message until ``HubReader/resume()`` is called. It stays at its
    /// version; the hub keeps the version number for it, but no messages.
    case pause
}

/// The hub's side of a reader: of the whole list (``ListReaderCore``) or of a window
/// (``WindowReaderCore``).
class ReaderCore: @unchecked Sendable {  // its state is read and written only on the hub's lane
    typealias Receiver = @Sendable (HubMessage) -> ReaderDemand

    /// Whether the reader accepts no messages until it is resumed.
    final var isPaused: Bool
    /// The callback that receives messages; `nil` when the reader has ended.
    private final var receiver: Receiver?

    init(isPaused: Bool, _ receiver: @escaping Receiver) {
        self.isPaused = isPaused
        self.receiver = receiver
    }

    final var hasEnded: Bool { receiver == nil }

    final func receive(_ message: HubMessage) -> ReaderDemand { receiver?(message) ?? .pause }

    final func end() { receiver = nil }

    /// Whether the reader has received its last message.
    var isDone: Bool { false }

    /// Returns the next message for the reader; `nil` if it has everything.
    func next(by ledger: inout HubLedger) -> HubMessage? { nil }

    /// Lets the reader wait, for changes or until it is resumed. It has received everything that it
    /// accepts.
    func wait(among listeners: inout WaitingReaders, _ ledger: inout HubLedger) {}

    /// Takes the reader out of those that wait for changes.
    func stopWaiting(among listeners: inout WaitingReaders, _ ledger: HubLedger) {}

    /// Releases everything that is kept for the reader.
    func leave(_ ledger: inout HubLedger) {}
}

/// The readers that wait for changes.
struct WaitingReaders {
    /// The readers of the whole list, in no particular order.
    var list: [ListReaderCore] = []
    var windows = WindowTable()

    var count: Int { list.count + windows.readers.count }
}

/// A reader of the whole list.
final class ListReaderCore: ReaderCore, @unchecked Sendable {  // like its superclass
    var progress: ReaderProgress
    /// The position of the reader in ``WaitingReaders/list``; `nil` if it is not waiting.
    var index: Int32?

    init(_ progress: ReaderProgress, isPaused: Bool, _ receiver: @escaping Receiver) {
        self.progress = progress
        super.init(isPaused: isPaused, receiver)
    }

    override var isDone: Bool { progress.position == .ended }

    override func next(by ledger: inout HubLedger) -> HubMessage? { ledger.next(for: &progress) }

    override func wait(among listeners: inout WaitingReaders, _ ledger: inout HubLedger) {
        if isPaused { return }
        index = Int32(clamping: listeners.list.count)
        listeners.list.append(self)
    }

    override func stopWaiting(among listeners: inout WaitingReaders, _ ledger: HubLedger) {
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
final class WindowReaderCore: ReaderCore, @unchecked Sendable {  // like its superclass
    var progress: WindowProgress
    /// The position of the reader in ``WaitingReaders/windows``; `nil` if it is not waiting.
    var index: Int?

    init(_ progress: WindowProgress, isPaused: Bool, _ receiver: @escaping Receiver) {
        self.progress = progress
        super.init(isPaused: isPaused, receiver)
    }

    override var isDone: Bool { progress.position == .ended }

    override func next(by ledger: inout HubLedger) -> HubMessage? { ledger.next(for: &progress) }

    override func wait(among listeners: inout WaitingReaders, _ ledger: inout HubLedger) {
        if isPaused { return ledger.pause(&progress) }
        ledger.resume(&progress)
        listeners.windows.append(self, numberOfRows: ledger.announcedRows.numberOfRows)
    }

    override func stopWaiting(among listeners: inout WaitingReaders, _ ledger: HubLedger) {
        listeners.windows.remove(self, at: ledger.announced.version.number)
    }

    override func leave(_ ledger: inout HubLedger) { ledger.leave(&progress) }
}

/// The position of a reader in the history. There may be very many readers, so it takes only 16
/// bytes.
package struct ReaderProgress: Hashable {
    package enum Position: Hashable {
        /// The reader has received nothing yet. It joins with the state of a version, or without a
        /// state.
        indirect case joining(PublishedVersion?)
        /// The reader has received everything up to a version, which is retained for it.
        case at(Int)
        /// The reader has left, or has received its last message.
        case ended
    }

    package internal(set) var position: Position

    /// Whether the hub must send `upToDate` when the reader has everything.
    var owesConfirmation = false

    /// The line that the reader's version belongs to (``HubLedger/line``).
    var line: UInt16 = 0

    /// The number of recent announcements that the reader receives separately.
    let individualLimit: Int32

    /// Creates the progress of a reader that joins with the state of a version, or without any.
    package init(joiningFrom version: PublishedVersion? = nil, policy: ReaderPolicy = .coalesced) {
        position = .joining(version)
        individualLimit =
            switch policy {
            case .coalesced: 0
            case .separate(let limit): Int32(clamping: max(0, limit))
            }
    }
}
