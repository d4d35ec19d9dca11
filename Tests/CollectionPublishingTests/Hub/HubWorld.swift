import CollectionElements
import PipelineTestSupport
import PipelineTesting

@testable import CollectionPublishing

/// A hub in a simulation, readers of every kind, and a model of each. The world takes random steps
/// and compares hub and models after each step.
final class HubWorld {
    private static let interval = Duration.seconds(10)

    /// A reader with the messages it received and the state it built from them.
    final class Reader: @unchecked Sendable {  // one thread
        var token: HubReader?
        var replica: CollectionReplica
        /// The same state, built from messages in their wire form.
        var travelled: CollectionReplica
        var messages: [HubMessage] = []
        var fault: String?
        /// The number of messages it accepts before it pauses.
        var room = Int.max
        var isPaused = false
        var hasLeft = false
        // The rows it sees if it has a window: from an index, or around a row with the given label.
        var window: (first: Int, label: String?, before: Int, count: Int)?
        /// Whether only the hub knows the position of its window.
        var isLost = false
        /// The number of messages checked so far.
        var seen = 0
        // The version that its window's rows had when it paused, and the line of that version.
        var held = 0
        var line = 0

        init(_ replica: CollectionReplica = CollectionReplica()) {
            (self.replica, travelled) = (replica, replica)
        }

        func take(_ message: HubMessage) -> ReaderDemand {
            messages.append(message)
            do {
                try replica.apply(message)
                try travelled.apply(message.wire)
            } catch {
                fault = fault ?? "\(message.words): \(error)"
            }
            room -= 1
            isPaused = room <= 0
            return isPaused ? .pause : .more
        }

        var isGone: Bool { hasLeft || replica.isClosed }
    }

    private let simulation: Simulation
    private let hub: UpdateHub
    private let isJumping: Bool
    private let hasWindows: Bool
    private var model: HubModel
    private var random: SeededGenerator
    private var updates: PublishedUpdates
    private var readers: [Reader] = []
    private var states: [PublishedVersion: StateModel] = [:]
    /// The last published version, and whether its announcement is pending.
    private var last: PublishedVersion
    private var isPending = false
    /// Whether the interval before the next announcement has passed.
    private var isOpen = true
    private var isBeginning = true
    private var highest = 0
    /// The version of the last compared state.
    private var checked: PublishedVersion?

    /// - Parameter isJumping: whether the hub publishes updates made elsewhere, and sometimes
    /// continues from an unrelated state.
    init(seed: UInt64, isJumping: Bool) {
        simulation = Simulation(seed: seed)
        random = SeededGenerator(seed: seed)
        updates = PublishedUpdates(seed: seed &+ 1_000, keepsUnrendered: !isJumping)
        self.isJumping = isJumping
        hasWindows = random.isTrue(oneIn: 2)
        var configuration = HubConfiguration()
        configuration.handle = HistoryID(rawValue: 7)
        configuration.digestInterval = 1 + random.next(below: 3)
        configuration.resumableUpdateLimit = [0, 1, 3, 50][random.next(below: 4)]
        configuration.retainedVersionLimit = [0, 1, 2, 50][random.next(below: 4)]
        configuration.recentUpdateLimit = random.next(below: 5)
        configuration.minimumInterval = random.isTrue(oneIn: 2) ? Self.interval : .zero
        model = HubModel(configuration)
        hub = UpdateHub(configuration: configuration, environment: simulation.environment)
        last = model.version
        states[last] = StateModel()
        for _ in 0..<3 { publish(1) }
        isBeginning = false
        for _ in 0..<4 { join() }
        if hasWindows { for _ in 0..<8 { joinWindow() } }
    }

    // MARK: Steps

    /// Takes a random step and returns the first fault.
    func step() -> String? {
        switch random.next(below: 20) {
        case 0...7: publish(1)
        case 8, 9: publish(2 + random.next(below: 3))
        case 10, 11: if isJumping { jump() } else { resume() }
        case 12: join()
        case 13 where hasWindows: joinWindow()
        case 13: join()
        case 14: leave()
        case 15, 16: moveWindow()
        case 17: beat()
        case 18: wait()
        default: resume()
        }
        return fault
    }

    func close() -> String? {
        hub.close()
        model.close()
        settle()
        // A reader that joins now also receives everything and the close.
        join()
        holdVersions()
        for index in readers.indices where readers[index].isPaused { resume(index, room: .max) }
        return fault ?? (hub.numberOfReaders == 0 ? nil : "readers are left after the close")
    }

    private func settle() { simulation.run() }

    private func wait() {
        simulation.advanceClock(by: Self.interval * 2)
        isOpen = true
    }

    private func publish(_ count: Int) {
        for _ in 0..<count { publishOne() }
        settle()
        announcePending()
    }

    private func announcePending() {
        if isPending { announce() }
    }

    private func announce() {
        model.announce(last.number)
        (isPending, isOpen) = (false, model.configuration.minimumInterval == .zero)
        holdVersions()
    }

    private func publishOne() {
        let rate = isBeginning ? 0.9 : [0.02, 0.02, 0.05, 0.3][random.next(below: 4)]
        let (changeSet, contents) = updates.drawn(rate: rate)
        let from = last
        last = PublishedVersion(handle: from.handle, number: next(from.number))
        if isJumping {
            let state = updates.model.state
            hub.publish(
                PublishedUpdate(from: from, to: last, changeSet: changeSet, contents: contents),
                leadingTo: StateWithDigest(state)
            ) {}
        } else {
            publish(changeSet)
        }
        states[last] = updates.model
        isPending = true
        guard isOpen else { return }
        settle()
        announce()
    }

    private func next(_ number: Int) -> Int {
        highest = max(highest, number) + 1 + random.next(below: 3)
        return highest
    }

    /// Publishes an update as a controller would have deployed it, with late measurements.
    private func publish(_ changeSet: ValidatedChangeSet) {
        var places: [ElementPlace] = []
        var others: [Int] = []
        var late: [ElementPlace] = []
        for (section, count) in updates.model.shape.itemCounts.enumerated() {
            for item in 0..<count where random.isTrue(oneIn: 12) {
                places.append(ElementPlace(path: ItemPath(section, item)))
                // Some are measured again without a change.
                if random.isTrue(oneIn: 2) { updates.change(ItemPath(section, item)) }
            }
            let header = ElementPlace(path: ItemPath(section, 0), kind: .header)
            if random.isTrue(oneIn: 12) {
                others.append(section)
                updates.changeHeader(section, canGo: true)
            } else if random.isTrue(oneIn: 8) {
                late.append(header)
                updates.changeHeader(section, canGo: false)
            }
            if random.isTrue(oneIn: 9) {
                late.append(ElementPlace(path: ItemPath(section, 0), kind: .footer))
            }
        }
        let (model, unrendered) = (updates.model, updates.unrendered)
        hub.publish(
            RenderedUpdate(
                changeSet,
                to: last.number,
                remeasured: places + late,
                otherHeaders: others,
                item: { path in
                    unrendered.contains(path)
                        ? nil : model.sections[path.section].items[path.item].payload
                },
                header: { model.sections[$0].section.payload }
            )
        )
    }

    /// Continues from a later version, an earlier version or another history, sometimes after
    /// updates that are not announced yet.
    private func jump() {
        for _ in 0..<random.next(below: 3) { publishOne() }
        // The jump itself announces pending updates.
        if hasWindows { settle() }
        announcePending()
        let kind = random.next(below: 3)
        if kind == 0 {
            for _ in 0..<3 { _ = updates.drawn(rate: 0.1) }
            last = PublishedVersion(handle: last.handle, number: next(last.number))
        } else if kind == 1 {
            let known = states.keys.filter { $0.handle == last.handle && $0.number <= last.number }
            let latest = known.sorted { $0.number < $1.number }.suffix(6)
            last = latest[latest.startIndex + random.next(below: latest.count)]
            updates.go(to: states[last]!)
        } else {
            last = PublishedVersion(
                handle: HistoryID(rawValue: last.handle.rawValue + 1),
                // Sometimes a number that also existed in the other history.
                number: random.isTrue(oneIn: 2) ? last.number : next(last.number)
            )
            _ = updates.drawn(rate: 0.6)
        }
        states[last] = updates.model
        hub.jump(to: StateWithDigest(updates.model.state), at: last)
        if kind == 0 {
            model.announce(last.number)
        } else {
            model.startLine(at: last)
            for reader in readers where reader.window?.label != nil { reader.isLost = true }
        }
        isOpen = model.configuration.minimumInterval == .zero
        settle()
        holdVersions()
    }

    private func beat() {
        hub.sendHeartbeat()
        model.beat()
        settle()
        holdVersions()
    }

    // MARK: Readers

    private func join() {
        let known = states.keys.sorted { "\($0)" < "\($1)" }
        var version: PublishedVersion?
        var replica = CollectionReplica()
        switch random.next(below: 5) {
        case 0: break
        case 1:
            let number = [-1, .min, .max, model.newest + 1][random.next(below: 4)]
            version = PublishedVersion(handle: model.handle, number: number)
        case 2:
            // A reader that left reconnects with its state.
            guard let gone = readers.first(where: { $0.hasLeft && $0.window == nil }) else { break }
            (version, replica) = (gone.replica.version, gone.replica)
        default:
            let old = known[random.next(below: known.count)]
            let state = states[old]!.state
            version = old
            replica.adopt(PublishedSnapshot(version: old, state: state, digest: state.digest))
        }
        let reader = Reader(replica)
        reader.room = random.isTrue(oneIn: 2) ? .max : 1 + random.next(below: 3)
        let limit = [0, 0, 1, 2, 4][random.next(below: 5)]
        model.readers[readers.count] = HubModel.Reader(
            from: version,
            separate: limit,
            room: reader.room
        )
        model.tell(readers.count)
        reader.token = try? hub.addReader(
            from: version,
            policy: limit == 0 ? .coalesced : .separate(limit: limit)
        ) { [unowned reader] in
            reader.take($0)
        }
        readers.append(reader)
        settle()
    }

    private func drawWindow(of reader: Reader) -> PublishedWindow {
        let rows = ListRows(states[model.version]!).rows
        let follows = random.isTrue(oneIn: 2) && !rows.isEmpty
        let row = random.next(below: rows.count + 3)
        let (before, after) = (random.next(below: 5), random.next(below: 6))
        reader.isLost = false
        reader.window = (
            row, follows ? rows[min(row, rows.count - 1)].identity : nil,
            follows ? before : 0, follows ? before + 1 + after : after
        )
        if !follows { return .rows(row, count: after) }
        let version = random.isTrue(oneIn: 2) ? nil : model.version
        return .around(row: row, at: version, before: before, after: after)
    }

    private func joinWindow() {
        let reader = Reader()
        reader.room = random.isTrue(oneIn: 2) ? .max : 1 + random.next(below: 2)
        // A reader that joins paused sets another window before it receives anything.
        reader.isPaused = random.isTrue(oneIn: 3)
        let window = drawWindow(of: reader)
        (reader.held, reader.line) = (model.newest, model.line)
        let receive: @Sendable (HubMessage) -> ReaderDemand = { [unowned reader] message in
            reader.take(message)
        }
        reader.token =
            reader.isPaused
            ? try? hub.addPausedReader(window: window, receive: receive)
            : try? hub.addReader(window: window, receive: receive)
        readers.append(reader)
        settle()
        holdVersions(moved: readers.count - 1)
        if reader.isPaused, reader.messages.isEmpty {
            let index = readers.count - 1
            move(index)
            publish(1)
            if random.isTrue(oneIn: 2) { resume(index, room: .max) }
        }
    }

    private func moveWindow() {
        let windows = readers.indices.filter { readers[$0].window != nil && !readers[$0].isGone }
        // A paused reader's window is compared only after it resumes, so paused readers move more
        // often.
        let paused = windows.filter { readers[$0].isPaused }
        let chosen = paused.isEmpty || random.isTrue(oneIn: 2) ? windows : paused
        guard !chosen.isEmpty else { return }
        move(chosen[random.next(below: chosen.count)])
    }

    private func move(_ index: Int) {
        try? readers[index].token?.setWindow(drawWindow(of: readers[index]))
        settle()
        holdVersions(moved: index)
    }

    private func resume() {
        let paused = readers.indices.filter { readers[$0].isPaused && !readers[$0].isGone }
        guard !paused.isEmpty else { return }
        let index = paused[random.next(below: paused.count)]
        resume(index, room: random.isTrue(oneIn: 2) ? .max : 1 + random.next(below: 3))
    }

    private func resume(_ index: Int, room: Int) {
        let reader = readers[index]
        if reader.isGone { return }
        (reader.room, reader.isPaused) = (room, false)
        if let window = reader.window {
            let held = model.held[index]
            let isForgotten =
                held.map { $0.line == model.line && !model.knowsRows(of: $0.version) } ?? false
            let isOfLine = reader.line == model.line
            // The hub keeps nothing for a reader before its first message.
            let isUnknown = reader.messages.isEmpty && !model.knowsRows(of: reader.held)
            if isForgotten || isUnknown || !isOfLine, window.label != nil { reader.isLost = true }
            let count = reader.messages.count
            reader.token?.resume()
            settle()
            let isReported = reader.messages[count...].contains { $0.words.hasSuffix("forgotten") }
            if isReported != isForgotten { reader.fault = "it is forgotten: \(isForgotten)" }
            holdVersions(moved: index)
        } else {
            (model.readers[index]!.room, model.readers[index]!.isPaused) = (room, false)
            model.tell(index)
            reader.token?.resume()
            settle()
        }
    }

    private func leave() {
        for _ in 0...random.next(below: 3) {
            let remaining = readers.indices.filter { !readers[$0].isGone }
            guard remaining.count > 3 else { break }
            let index = remaining[random.next(below: remaining.count)]
            readers[index].hasLeft = true
            model.readers[index]?.hasEnded = true
            model.held[index] = nil
            // Releasing the token also leaves.
            if random.isTrue(oneIn: 2) { readers[index].token?.leave() }
            readers[index].token = nil
        }
        settle()
    }

    /// A window that follows a row holds the version at which its reader paused or set it.
    private func holdVersions(moved: Int? = nil) {
        for (index, reader) in readers.enumerated() where reader.window != nil {
            if reader.messages.count > reader.seen, let last = reader.messages.last {
                (reader.seen, reader.line) = (reader.messages.count, model.line)
                reader.held = last.version.number
            }
            let hasJoined = !reader.messages.isEmpty
            if index == moved, reader.line == model.line || !hasJoined {
                (reader.held, reader.line) = (model.newest, model.line)
            }
            let follows = reader.window?.label != nil && hasJoined
            let holds = reader.isPaused && follows && !reader.isGone
            model.held[index] = holds ? (reader.held, reader.line) : nil
        }
    }

    // MARK: Checks

    private var fault: String? {
        let snapshot = hub.snapshot
        let expected = states[model.version]!
        if snapshot.version != model.version { return "\(snapshot.version), not \(model.version)" }
        if model.version != checked {
            if StateModel(snapshot.state) != expected { return "another state at \(model.version)" }
            if snapshot.digest != documentedDigest(expected) { return "another digest" }
            checked = model.version
        }
        let reports = Journal<HubReport>()
        hub.report { reports.append($0) }
        settle()
        let (known, remaining) = (model.knownVersions, readers.filter { !$0.isGone })
        let found = reports.values.last
        if found?.knownVersions != known { return "\(found!.knownVersions) known, not \(known)" }
        if found?.readers != remaining.count {
            return "\(found!.readers) readers, not \(remaining.count)"
        }
        let listening = remaining.count { !$0.isPaused }
        if found?.waitingReaders != listening { return "\(listening) listen: \(found!)" }
        let rows = ListRows(expected)
        for index in readers.indices {
            let fault = readers[index].window == nil ? listFault(index) : windowFault(index, rows)
            if let fault { return "reader \(index): \(fault)" }
        }
        return nil
    }

    private func listFault(_ index: Int) -> String? {
        let reader = readers[index]
        if let fault = reader.fault { return fault }
        let words = model.readers[index]!.words
        if reader.messages.count == reader.seen, words.count == reader.seen { return nil }
        let found = reader.messages[reader.seen...].map(\.fullWords)
        let expected = Array(words[reader.seen...])
        if found != expected { return "\(found.suffix(6)), not \(expected.suffix(6))" }
        reader.seen = reader.messages.count
        guard let version = reader.replica.version, !reader.messages.isEmpty else { return nil }
        let state = StateModel(reader.replica.state)
        if state != states[version]! { return "another state at \(version)" }
        return reader.travelled.state == reader.replica.state ? nil : "another one has travelled"
    }

    private func windowFault(_ index: Int, _ rows: ListRows) -> String? {
        let reader = readers[index]
        if let fault = reader.fault { return fault }
        if reader.isPaused || reader.isGone && !model.isClosed || reader.hasLeft { return nil }
        guard let version = reader.replica.version, let window = reader.window else {
            return "it received nothing"
        }
        if model.isClosed, version != model.version { return "it did not receive the last version" }
        let row = window.label.map { rows.row(of: $0) } ?? window.first
        guard let row, !reader.isLost else {
            // The followed row is gone: the reader sees other rows until it sets another window.
            if !model.isClosed { move(index) }
            return nil
        }
        let (seen, place) = rows.seen(from: row - window.before, count: window.count)
        if StateModel(reader.replica.state) != seen { return "other rows at \(version)" }
        if version == model.version, reader.replica.place != place { return "another place" }
        return reader.travelled.state == reader.replica.state ? nil : "another one has travelled"
    }
}

extension CollectionReplica {
    /// Adopts a snapshot, as an application with a saved state does.
    fileprivate mutating func adopt(_ snapshot: PublishedSnapshot) {
        do { try take(snapshot) } catch { fatalError("a state has its digest: \(error)") }
    }
}
