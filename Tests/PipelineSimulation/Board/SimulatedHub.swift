import CollectionElements
import CollectionPipeline
import CollectionPublishing
import PipelineTesting

/// A run that shows a list to a hub.
protocol HubStage: AnyObject {
    var plan: RunPlan { get }
    var simulation: Simulation { get }
    func note(_ guarantee: String, _ message: String)
    func mark(_ name: String)
    func meet(_ situation: Situation)
}

extension SimulatedRun: HubStage {}

/// A hub that publishes a list of a run to readers that join, pause, leave and reconnect, with
/// the checks of its messages.
final class SimulatedHub: @unchecked Sendable {  // one thread
    /// The content that was shown at one version.
    struct Shown {
        /// An item and the payload that readers must receive.
        struct Item {
            let element: CollectionElement
            let payload: PublishedPayload?
        }

        let sections: [[Item]]
        /// Whether the whole content was replaced.
        let isReload: Bool
    }

    private unowned let run: any HubStage
    let hub: UpdateHub
    let configuration: HubConfiguration
    /// The lanes on which readers are added and resumed, like event loops of an application.
    private let lanes: [any Lane]
    /// The shown content by version; the first is empty.
    private(set) var shown: [Int: Shown] = [0: Shown(sections: [], isReload: true)]
    private(set) var newestShown = 0
    /// The number of rendered item elements.
    private let renderings = Lock(0)
    /// The numbers that the hub assigned, with their elements.
    private var numbers: [UInt64: CollectionElement] = [:]
    private(set) var readers: [SimulatedReader] = []
    /// The replicas of the readers that left, by version.
    private var left: [PublishedVersion: PublishedSnapshot] = [:]
    private var leftVersions: [PublishedVersion] = []
    private var readerCount = 0

    init(_ run: any HubStage) {
        self.run = run
        var random = SeededGenerator(seed: run.plan.seed ^ 0x72_6561_6465_7273)
        var configuration = HubConfiguration()
        configuration.handle = HistoryID(rawValue: 0xB0A4D)
        configuration.resumableUpdateLimit = [0, 1, 2, 1000][random.next(below: 4)]
        configuration.resumableEditLimit = random.isTrue(oneIn: 4) ? 8 : 1_000_000
        configuration.retainedVersionLimit = random.isTrue(oneIn: 4) ? 1 : 1000
        configuration.digestInterval = 1 + random.next(below: 3)
        configuration.recentUpdateLimit = 1 + random.next(below: 4)
        configuration.unpublishedUpdateLimit = 1 + random.next(below: 2)
        if random.isTrue(oneIn: 3) { configuration.minimumInterval = .microseconds(20) }
        if random.isTrue(oneIn: 4) { configuration.retainedEditLimit = 4 }
        self.configuration = configuration
        hub = UpdateHub(configuration: configuration, environment: run.simulation.environment)
        lanes = (0..<2).map { run.simulation.makeLane(label: "loop \($0)") }
    }

    func note(_ guarantee: String, _ message: String) { run.note(guarantee, "hub: \(message)") }
    func mark(_ name: String) { run.mark("hub \(name)") }
    func meet(_ situation: Situation) { run.meet(situation) }

    /// Creates the node of an item with a new payload.
    func makeNode(_ model: some CustomStringConvertible) -> any CollectionNode {
        let number = renderings.withLock { count in
            count += 1
            return count
        }
        return PayloadNode(PublishedPayload(utf8: "\(model) rendered as \(number)"))
    }

    // MARK: Actions

    /// Records an update when it is shown. Main lane, before the hub receives it.
    func shown(_ update: ViewUpdate) {
        let generation = update.newMap.generation
        var known: [ObjectIdentifier: PublishedPayload?] = [:]
        for item in (shown[newestShown]?.sections ?? []).joined() {
            known[ObjectIdentifier(item.element)] = item.payload
        }
        // An item that the update does not name keeps its payload, even if its node has a new one.
        var named = Set(update.changeSet.reconfigurations.map(\.newPath))
        named.formUnion(update.remeasured.filter { $0.kind == nil }.map(\.path))
        if update.changeSet.isReloadData { known = [:] }
        var sections = Array(repeating: [Shown.Item](), count: update.newMap.numberOfSections)
        for item in update.newMap.items {
            let old = known[ObjectIdentifier(item.element)]
            var payload = old ?? nil
            if old == nil || named.contains(item.path) {
                let node = item.element.nodeIfAllocated as? any PublishedNode
                payload = node?.payload ?? payload
            }
            sections[item.path.section].append(
                Shown.Item(element: item.element, payload: payload)
            )
        }
        shown[generation] = Shown(sections: sections, isReload: update.changeSet.isReloadData)
        newestShown = generation
    }

    /// Performs an action of readers: one joins or leaves, some resume, or the hub sends a
    /// heartbeat.
    func act(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        if readers.count(where: \.isPaused) > 1 { meet(.pausedReaders) }
        switch random.next(below: 10) {
        case 0...3: join(&random)
        case 4...6:
            for reader in readers where random.isTrue(oneIn: 2) { reader.resume() }
            if random.isTrue(oneIn: 3) { readers.randomElement(using: &random)?.move() }
        case 7, 8:
            guard !readers.isEmpty else { return join(&random) }
            let reader = readers.remove(at: random.next(below: readers.count))
            keep(reader.replica)
            reader.leave()
        default: hub.sendHeartbeat()
        }
    }

    private func keep(_ replica: CollectionReplica) {
        // A reader of a window cannot reconnect as if it had the whole list.
        guard let version = replica.version, replica.place == nil else { return }
        leftVersions.append(version)
        left[version] = PublishedSnapshot(
            version: version,
            state: replica.state,
            digest: replica.digest
        )
    }

    private func join(_ random: inout SeededGenerator) {
        var version: PublishedVersion?
        if random.isTrue(oneIn: 2) { version = leftVersions.randomElement(using: &random) }
        if random.isTrue(oneIn: 10) {
            version = PublishedVersion(
                handle: HistoryID(rawValue: random.isTrue(oneIn: 2) ? 0xB0A4D : 1),
                number: [Int.min, -1, 1_000_000, .max][random.next(below: 4)]
            )
        }
        let policy: ReaderPolicy =
            random.isTrue(oneIn: 3) ? .separate(limit: random.next(below: 4)) : .coalesced
        let isWindowed = random.isTrue(oneIn: 2)
        add(from: version, policy, isWindowed: isWindowed, &random)
    }

    private func add(
        from version: PublishedVersion?,
        _ policy: ReaderPolicy,
        isWindowed: Bool,
        _ random: inout SeededGenerator
    ) {
        let reader = SimulatedReader(
            self,
            from: version,
            policy: policy,
            isWindowed: isWindowed,
            lane: lanes[random.next(below: lanes.count)],
            random
        )
        readers.append(reader)
        lanes[random.next(below: lanes.count)].enqueue { reader.join() }
    }

    /// Makes a reader of the whole list leave, or one that left reconnect with its last version.
    func reconnect(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Half of the time it is the oldest version, of which the hub knows least.
        let oldest = random.isTrue(oneIn: 2) ? leftVersions.first : nil
        if random.isTrue(oneIn: 2),
            let version = oldest ?? leftVersions.randomElement(using: &random)
        {
            return add(from: version, .coalesced, isWindowed: false, &random)
        }
        let known = readers.indices.filter { index in
            readers[index].replica.version != nil && readers[index].replica.place == nil
        }
        guard let index = known.randomElement(using: &random) else {
            return add(from: nil, .coalesced, isWindowed: false, &random)
        }
        let reader = readers.remove(at: index)
        keep(reader.replica)
        reader.leave()
    }

    // MARK: Checks

    /// Checks that a replica equals the shown content and that each number still denotes the same
    /// item.
    func check(_ replica: CollectionReplica, _ what: String) {
        guard let version = replica.version, let shown = shown[version.number] else {
            return note("Converges", "\(what) leads to a version that was never shown")
        }
        let state = replica.state
        let place = replica.place
        guard let sections = shown.part(state.shape, at: place) else {
            return note("Converges", "\(what) leads to \(state.shape) at \(version.number)")
        }
        if state.digest != replica.digest {
            note("Converges", "the digest after \(what) is not that of the state")
        }
        checkContents(of: state, sections, what)
    }

    /// Checks a window at rest without its position, which is unknown if nothing happened in the
    /// window: its items must exist in the shown content, contiguous and with their payloads.
    func checkAtRest(_ replica: CollectionReplica, in shown: Shown, _ what: String) {
        let parts = (0..<replica.state.numberOfSections).map { replica.state.items(inSection: $0) }
        guard let first = parts.joined().first, let element = numbers[first.number],
            let offset = parts.firstIndex(where: { !$0.isEmpty })
        else { return }
        for (section, items) in shown.sections.enumerated() {
            guard let item = items.firstIndex(where: { $0.element === element }) else { continue }
            guard section >= offset else { break }
            let sections = shown.sections.dropFirst(section - offset).prefix(parts.count)
            var expected = sections.map { Array($0) }
            expected[offset].removeFirst(item)
            for index in expected.indices {
                expected[index] = Array(expected[index].prefix(parts[index].count))
            }
            guard expected.map(\.count) == parts.map(\.count) else { break }
            return checkContents(of: replica.state, expected, what)
        }
        note("Converges", "\(what) has what is not shown any more")
    }

    private func checkContents(of state: PublishedState, _ sections: [[Shown.Item]], _ what: String)
    {
        for (section, items) in sections.enumerated() {
            for (found, expected) in zip(state.items(inSection: section), items) {
                if found.payload != expected.payload {
                    note("Converges", "\(what) leads to another payload of item \(found.number)")
                }
                let element = numbers[found.number] ?? expected.element
                numbers[found.number] = element
                if element !== expected.element {
                    note("Converges", "\(what) gives number \(found.number) to another item")
                }
            }
        }
    }

    /// Returns the content that was shown at a version.
    func shown(at version: PublishedVersion?) -> Shown? { version.flatMap { shown[$0.number] } }

    /// Whether the whole content was replaced between two versions, so that positions are unknown.
    func isReloaded(since version: PublishedVersion?, to newest: Int) -> Bool {
        let old = version?.number ?? newest
        return shown.contains { $0.key > old && $0.key <= newest && $0.value.isReload }
    }

    /// Checks that at rest every reader has received everything that it accepts.
    func checkAtRest() {
        let newest = hub.snapshot.version.number
        if newest != newestShown {
            note("No Gap No Double", "version \(newest) is announced, and \(newestShown) was shown")
        }
        for reader in readers {
            if let shown = shown[newest] { reader.checkAtRest(newest: newest, shown) }
        }
        if hub.numberOfReaders > readers.count {
            note("Slow Hurts Nobody", "\(hub.numberOfReaders) readers are kept of \(readers.count)")
        }
        let paused = readers.count
        hub.report { [self] report in
            let most = 1 + configuration.resumableUpdateLimit + paused
            if report.knownVersions > most {
                note("Slow Hurts Nobody", "\(report.knownVersions) versions are kept of \(most)")
            }
        }
    }

    func takeNumber() -> Int {
        readerCount += 1
        return readerCount
    }

    /// Returns the snapshot of a reader that left with a version.
    func snapshot(at version: PublishedVersion) -> PublishedSnapshot? { left[version] }

    /// Checks that at the end every reader resumes and is notified of the close.
    func checkClosed() {
        // Repeats more often than there can be messages, since a reader may pause after each.
        for _ in 0..<64 where readers.contains(where: { !$0.isClosed }) {
            for reader in readers where !reader.isClosed { reader.resume() }
            run.simulation.run(atMost: SimulatedRun.stepLimit)
        }
        for reader in readers where !reader.isClosed {
            note("Slow Hurts Nobody", "reader \(reader.number) was not notified of the close")
        }
        if hub.numberOfReaders != 0 {
            note("Slow Hurts Nobody", "\(hub.numberOfReaders) readers are kept after the close")
        }
        readers = []
        hub.report { [self] report in
            let most = 1 + configuration.resumableUpdateLimit
            if report.knownVersions > most {
                note("Slow Hurts Nobody", "\(report.knownVersions) versions are kept for nobody")
            }
        }
    }
}

extension SimulatedHub.Shown {
    /// Returns the items of the part with a shape at a place; the whole content without a place;
    /// `nil` if no part matches.
    fileprivate func part(_ shape: HierarchyShape, at place: WindowPlace?) -> [[Item]]? {
        let counts = sections.map(\.count)
        guard let place else { return shape.itemCounts == counts ? sections : nil }
        let itemsBefore = counts.prefix(place.firstSection).reduce(0, +) + place.firstItem
        guard place.totalSections == counts.count, place.totalItems == counts.reduce(0, +),
            place.itemsBefore == itemsBefore || shape.numberOfSections == 0,
            place.firstSection + shape.numberOfSections <= counts.count
        else { return nil }
        var part: [[Item]] = []
        for (offset, count) in shape.itemCounts.enumerated() {
            let items = sections[place.firstSection + offset]
                .dropFirst(offset == 0 ? place.firstItem : 0)
            let isLast = offset == shape.numberOfSections - 1
            guard count == items.count || isLast && count < items.count else { return nil }
            part.append(Array(items.prefix(count)))
        }
        return part
    }
}
