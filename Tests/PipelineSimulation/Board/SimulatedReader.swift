import CollectionElements
import CollectionPipeline
import CollectionPublishing
import PipelineTesting

/// A reader of a ``SimulatedHub`` with a replica; it accepts a random number of messages at a time.
final class SimulatedReader: @unchecked Sendable {  // one thread
    private unowned let owner: SimulatedHub
    let number: Int
    let wanted: PublishedVersion?
    let policy: ReaderPolicy
    private let lane: any Lane
    private var random: SeededGenerator
    private(set) var replica = CollectionReplica()
    private var reader: HubReader?
    /// The window of the list that the reader sees; `nil` for the whole list.
    private var window: SimulatedWindow?
    /// The number of requested windows that the hub has not applied yet.
    private var wantedWindows = 0
    private(set) var isPaused = false
    private var isAdded = false
    private var hasLeft = false
    /// The number of received messages.
    private var messages = 0
    private(set) var isClosed = false

    init(
        _ owner: SimulatedHub,
        from version: PublishedVersion?,
        policy: ReaderPolicy,
        isWindowed: Bool,
        lane: any Lane,
        _ random: SeededGenerator
    ) {
        self.owner = owner
        wanted = isWindowed ? nil : version
        self.policy = policy
        self.lane = lane
        self.random = random
        number = owner.takeNumber()
        if isWindowed { window = SimulatedWindow(&self.random, at: nil) }
    }

    // MARK: Actions

    func join() {
        guard !hasLeft else { return }
        if let wanted {
            // Begins with the snapshot of the time when it left, or with whatever version it
            // claims.
            if let snapshot = owner.snapshot(at: wanted) {
                try? replica.apply(.reset(snapshot, .joined))
            }
        }
        do throws(HubError) {
            let receive: @Sendable (HubMessage) -> ReaderDemand = { [weak self] message in
                self?.receive(message) ?? .pause
            }
            reader =
                if let window {
                    try owner.hub.addReader(window: window.window, receive: receive)
                } else {
                    try owner.hub.addReader(from: wanted, policy: policy, receive: receive)
                }
            isAdded = true
        } catch {
            owner.note("No Gap No Double", "a reader was rejected: \(error)")
        }
    }

    func resume() {
        lane.enqueue { [self] in
            guard isAdded, isPaused else { return }
            isPaused = false
            reader?.resume()
        }
    }

    /// Requests another window of the list.
    func move() {
        lane.enqueue { [self] in
            guard isAdded, !isClosed, window != nil else { return }
            let version = random.isTrue(oneIn: 2) ? replica.version : nil
            var requested = SimulatedWindow(&random, at: version)
            let announced = owner.hub.snapshot.version
            // If the hub has forgotten that version, the current rows apply.
            if version != nil, !owner.configuration.keepsAll { requested.forget() }
            requested.find(in: owner.shown(at: version))
            do throws(HubError) {
                try reader?.setWindow(requested.window)
                wantedWindows += 1
                owner.hub.report { [self, requested] _ in
                    var next = requested
                    wantedWindows -= 1
                    // Without a version, the row refers to the state at which the hub applies the
                    // request.
                    if owner.hub.snapshot.version != announced { next.forget() }
                    next.find(in: owner.shown(at: announced))
                    window = next
                }
                owner.mark("moved")
            } catch {
                owner.note("Converges", "\(name) was refused a window: \(error)")
            }
        }
    }

    func leave() {
        hasLeft = true
        lane.enqueue { [self] in reader = nil }
    }

    // MARK: Messages

    /// Applies a message. The hub's lane.
    private func receive(_ message: HubMessage) -> ReaderDemand {
        messages += 1
        if isPaused {
            owner.note("Slow Hurts Nobody", "\(name) received a message while it was paused")
        }
        if isClosed { owner.note("No Gap No Double", "\(name) received a message after the close") }
        checkKind(of: message)
        let old = replica
        do throws(ReplicaError) {
            try replica.apply(message)
        } catch {
            let guarantee =
                error.code == .digestMismatch || error.code == .mismatch
                ? "Converges" : "No Gap No Double"
            owner.note(guarantee, "\(name): \(error)")
            return .more
        }
        owner.check(replica, "the message of \(name)")
        if let version = replica.version, let shown = owner.shown(at: version) {
            window?.find(in: shown)
            // After such a reset the window keeps its position.
            if case .reset(_, .forgotten) = message { window?.forget() }
            loseReloaded(since: old.version, to: version.number)
            if wantedWindows == 0 { checkWindow(in: shown, at: version.number) }
        }
        switch message {
        case .reset(_, let reason): checkReset(reason)
        case .update(let update): check(update, old)
        case .upToDate: owner.mark("up to date")
        case .closed: isClosed = true
        }
        if isClosed || random.isTrue(oneIn: 3) {
            isPaused = !isClosed
            return .pause
        }
        return .more
    }

    private var name: String { "reader \(number)" }

    /// Checks that a reconnecting reader receives the missed changes, or the notification that it
    /// is up to date.
    private func checkKind(of message: HubMessage) {
        guard messages == 1 else { return }
        switch message {
        case .reset: break
        case .update(let update):
            guard update.from == wanted else { break }
            owner.mark("resumed")
            owner.meet(.resumedReader)
        case .upToDate(let version, _): if version == wanted { owner.mark("resumed") }
        case .closed: owner.note("No Gap No Double", "\(name) received nothing before the close")
        }
    }

    private func checkReset(_ reason: ResetReason) {
        owner.mark("reset \(reason.rawValue)")
        if reason == .forgotten { owner.meet(messages == 1 ? .forgottenReader : .lateReader) }
        let configuration = owner.configuration
        // The hub keeps the versions of current readers, and of absent ones only while it keeps
        // everything.
        let isExpected =
            switch reason {
            case .joined: messages == 1 && wanted == nil
            case .otherHistory: messages == 1 && wanted?.handle != configuration.handle
            case .unknownVersion:
                messages == 1 && !(0...owner.newestShown).contains(wanted?.number ?? 0)
            case .forgotten: messages == 1 ? !configuration.keepsAll : !configuration.keepsPaused
            }
        if !isExpected {
            owner.note("Resume Costs The Difference", "\(name) is given everything: \(reason)")
        }
    }

    /// Checks that an update contains only what the reader lacks.
    private func check(_ update: PublishedUpdate, _ old: CollectionReplica) {
        if update.changeSet.isReloadData { return owner.mark("reloaded") }
        var numbers: Set<UInt64> = []
        for section in 0..<old.state.numberOfSections {
            numbers.formUnion(old.state.items(inSection: section).map(\.number))
        }
        let inserted =
            update.contents.insertedSections.flatMap(\.items) + update.contents.insertedItems
        for item in inserted where numbers.contains(item.number) {
            owner.note("Resume Costs The Difference", "\(name) is given item \(item.number) again")
        }
        if update.contents.changedItems.contains(where: { !numbers.contains($0.number) }) {
            owner.note("Resume Costs The Difference", "\(name) is told a change of what it lacks")
        }
    }

    private func loseReloaded(since version: PublishedVersion?, to newest: Int) {
        guard owner.isReloaded(since: version, to: newest) else { return }
        window?.forget()
    }

    /// Checks that the replica has the rows of the requested window.
    private func checkWindow(in shown: SimulatedHub.Shown, at version: Int) {
        guard let window, let (place, shape) = window.place(in: shown) else { return }
        owner.mark("window")
        // If nothing happened in the window, its place may be outdated.
        let isCurrent = replica.version?.number == version
        let isThere = !isCurrent || shape.numberOfSections == 0 || replica.place == place
        if replica.state.shape != shape || !isThere {
            owner.note(
                "Converges",
                "\(name), who asked for \(window.window), sees \(replica.state.shape) at \(String(describing: replica.place)),"
                    + " and is to see \(shape) at \(place)"
            )
        }
    }

    /// Checks that at rest the replica has everything in its window, unless the reader is paused.
    private func checkWindowAtRest(newest: Int, _ shown: SimulatedHub.Shown) {
        loseReloaded(since: replica.version, to: newest)
        owner.checkAtRest(replica, in: shown, "\(name) at rest")
        checkWindow(in: shown, at: newest)
    }

    /// Checks that at rest the replica has everything, unless the reader is paused.
    func checkAtRest(newest: Int, _ shown: SimulatedHub.Shown) {
        guard isAdded, !isPaused, !isClosed else { return }
        if window != nil { return checkWindowAtRest(newest: newest, shown) }
        let found = replica.version?.number ?? -1
        if found != newest {
            owner.note("Slow Hurts Nobody", "\(name) has version \(found) of \(newest) at rest")
        }
    }
}

extension HubConfiguration {
    /// Whether every reconnecting reader receives only the difference.
    fileprivate var keepsAll: Bool { resumableUpdateLimit >= 1000 && resumableEditLimit >= 1000 }

    /// Whether paused readers stay known for any time.
    fileprivate var keepsPaused: Bool { retainedVersionLimit >= 1000 && retainedEditLimit >= 1000 }
}

/// A window that a reader of a ``SimulatedHub`` requested, and the rows that it must see.
struct SimulatedWindow {
    let window: PublishedWindow
    private let row: Int
    private let before: Int
    private let count: Int
    private let follows: Bool
    /// Whether the followed item is known from the version that the row refers to.
    private var isFound = false
    /// The item that the window follows; `nil` if that is a header or removed.
    private var followed: CollectionElement?

    /// - Parameter version: The version that the row refers to; `nil` for the one at which the hub
    ///   applies the request.
    init(_ random: inout SeededGenerator, at version: PublishedVersion?) {
        row = random.isTrue(oneIn: 20) ? .max - random.next(below: 2) : random.next(below: 10)
        before = random.next(below: 4)
        let after = random.next(below: 6)
        follows = random.isTrue(oneIn: 2)
        count = follows ? before + 1 + after : after
        window =
            follows
            ? .around(row: row, at: version, before: before, after: after)
            : .rows(row, count: count)
    }

    /// Determines the followed item from the content that the row refers to.
    mutating func find(in shown: SimulatedHub.Shown?) {
        guard !isFound, let shown else { return }
        isFound = true
        let rows = shown.rows
        followed = rows.isEmpty ? nil : rows[min(row, rows.count - 1)].element
    }

    /// Forgets the followed item when its position is unknown.
    mutating func forget() {
        isFound = true
        followed = nil
    }

    /// Returns the expected place and shape of the window, or `nil` if they are unknown.
    func place(in shown: SimulatedHub.Shown) -> (WindowPlace, shape: HierarchyShape)? {
        if !follows { return shown.place(of: row, count) }
        guard let followed,
            let now = shown.rows.firstIndex(where: { $0.element === followed })
        else { return nil }
        return shown.place(of: now - before, count)
    }
}

extension SimulatedHub.Shown {
    /// A row: an item, or a header if `element` is `nil`.
    struct Row {
        let section: Int
        let element: CollectionElement?
    }

    var rows: [Row] {
        sections.enumerated().flatMap { index, items in
            [Row(section: index, element: nil)]
                + items.map { Row(section: index, element: $0.element) }
        }
    }

    /// Returns the place of existing rows in a range, with the number of items in each of their
    /// sections.
    fileprivate func place(of first: Int, _ count: Int) -> (WindowPlace, shape: HierarchyShape) {
        let rows = rows
        let start = min(max(0, first), rows.count)
        let end = first >= rows.count ? start : max(start, min(first + count, rows.count))
        let part = rows[start..<end]
        let (headersBefore, itemsBefore) = (
            rows[..<start].count { $0.element == nil }, rows[..<start].count { $0.element != nil }
        )
        let beginsInside = part.first?.element != nil
        let firstSection = headersBefore - (beginsInside ? 1 : 0)
        var counts: [Int] = []
        for row in part {
            if row.element == nil || counts.isEmpty { counts.append(0) }
            if row.element != nil { counts[counts.count - 1] += 1 }
        }
        let itemsOfEarlier = sections[..<firstSection].reduce(0) { $0 + $1.count }
        let place = WindowPlace(
            totalSections: sections.count,
            totalItems: rows.count - sections.count,
            firstSection: firstSection,
            firstItem: beginsInside ? itemsBefore - itemsOfEarlier : 0,
            itemsBefore: itemsBefore
        )
        return (place, HierarchyShape(counts))
    }
}
