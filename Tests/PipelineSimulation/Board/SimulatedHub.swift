import CollectionElements
import CollectionPipeline
import CollectionPublishing
import PipelineTesting

/// What the board of a run showed, published to readers that join, pause, leave and come back; and what must be true of
/// what they are told.
final class SimulatedHub: @unchecked Sendable {  // one thread
    /// What was shown at one version.
    struct Shown {
        /// Which item it is, and what readers are to see of it.
        struct Item {
            let element: CollectionElement
            let payload: PublishedPayload?
        }

        let sections: [[Item]]
        /// Whether everything was replaced.
        let isReload: Bool
    }

    private unowned let run: SimulatedRun
    let hub: UpdateHub
    let configuration: HubConfiguration
    /// Where readers are added and resumed, as by event loops of an application.
    private let lanes: [any Lane]
    /// By version; the first is of nothing.
    private(set) var shown: [Int: Shown] = [0: Shown(sections: [], isReload: true)]
    private(set) var newestShown = 0
    /// How often the element of an item was rendered.
    private let renderings = Lock(0)
    /// What numbers the hub gave, and to whom.
    private var numbers: [UInt64: CollectionElement] = [:]
    private(set) var readers: [SimulatedReader] = []
    /// What readers had who left.
    private var left: [PublishedVersion: PublishedSnapshot] = [:]
    private var leftVersions: [PublishedVersion] = []
    private var readerCount = 0

    init(_ run: SimulatedRun) {
        self.run = run
        var random = SeededGenerator(seed: run.plan.seed ^ 0x72_6561_6465_7273)
        var configuration = HubConfiguration()
        configuration.handle = HistoryHandle(rawValue: 0xB0A4D)
        configuration.resumableUpdates = [0, 1, 2, 1000][random.next(below: 4)]
        configuration.resumableEdits = random.isTrue(oneIn: 4) ? 8 : 1_000_000
        configuration.retainedVersions = random.isTrue(oneIn: 4) ? 1 : 1000
        configuration.digestInterval = 1 + random.next(below: 3)
        configuration.recentUpdates = 1 + random.next(below: 4)
        configuration.unpublishedUpdates = 1 + random.next(below: 2)
        if random.isTrue(oneIn: 3) { configuration.minimumInterval = .microseconds(20) }
        if random.isTrue(oneIn: 4) { configuration.retainedEdits = 4 }
        self.configuration = configuration
        hub = UpdateHub(configuration: configuration, environment: run.simulation.environment)
        lanes = (0..<2).map { run.simulation.makeLane(label: "loop \($0)") }
    }

    func note(_ guarantee: String, _ message: String) { run.note(guarantee, "hub: \(message)") }
    func mark(_ name: String) { run.mark("hub \(name)") }
    func meet(_ situation: Situation) { run.meet(situation) }

    /// Makes the node of an item: another payload each time.
    func makeNode(_ model: Int) -> any CollectionNode {
        let number = renderings.withLock { count in
            count += 1
            return count
        }
        return PayloadNode(PublishedPayload(utf8: "\(model) rendered as \(number)"))
    }

    // MARK: What happens

    /// An update is shown; main lane, before the hub has it.
    func shown(_ update: ViewUpdate) {
        let generation = update.newMap.generation
        var known: [ObjectIdentifier: PublishedPayload?] = [:]
        for item in (shown[newestShown]?.sections ?? []).joined() {
            known[ObjectIdentifier(item.element)] = item.payload
        }
        // Whoever is not named shows what it did, whatever its node may have by now.
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

    /// Readers do something: one joins, comes back, goes on, leaves; or the hub is to tell that it is up to date.
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
        default: hub.sendUpToDate()
        }
    }

    private func keep(_ replica: CollectionReplica) {
        // Who has a part of it cannot come back as if that were all.
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
                handle: HistoryHandle(rawValue: random.isTrue(oneIn: 2) ? 0xB0A4D : 1),
                number: [Int.min, -1, 1_000_000, .max][random.next(below: 4)]
            )
        }
        let policy: ReaderPolicy =
            random.isTrue(oneIn: 3) ? .individually(limit: random.next(below: 4)) : .merged
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

    /// A reader of everything leaves, or one that left comes back with the version that it had then.
    func comeBack(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // As often as not with the oldest, of which least is known.
        let oldest = random.isTrue(oneIn: 2) ? leftVersions.first : nil
        if random.isTrue(oneIn: 2),
            let version = oldest ?? leftVersions.randomElement(using: &random)
        {
            return add(from: version, .merged, isWindowed: false, &random)
        }
        let known = readers.indices.filter { index in
            readers[index].replica.version != nil && readers[index].replica.place == nil
        }
        guard let index = known.randomElement(using: &random) else {
            return add(from: nil, .merged, isWindowed: false, &random)
        }
        let reader = readers.remove(at: index)
        keep(reader.replica)
        reader.leave()
    }

    // MARK: What must be true

    /// What a reader has is what was shown, and each item is the one that had its number before.
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

    /// Where a window is at rest nobody says, if nothing happened in it; what is in it must be there as it is, and side
    /// by side.
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

    /// What is shown that windows are of, at a version.
    func shown(at version: PublishedVersion?) -> Shown? { version.flatMap { shown[$0.number] } }

    /// Whether everything was replaced between two versions: then nobody knows where anything is.
    func isReloaded(since version: PublishedVersion?, to newest: Int) -> Bool {
        let old = version?.number ?? newest
        return shown.contains { $0.key > old && $0.key <= newest && $0.value.isReload }
    }

    /// At rest everybody has been told everything that it takes.
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
            let most = 1 + configuration.resumableUpdates + paused
            if report.knownVersions > most {
                note("Slow Hurts Nobody", "\(report.knownVersions) versions are kept of \(most)")
            }
        }
    }

    func takeNumber() -> Int {
        readerCount += 1
        return readerCount
    }

    /// What a reader has who left with a version.
    func snapshot(at version: PublishedVersion) -> PublishedSnapshot? { left[version] }

    /// At the end everybody goes on, and is told that nothing comes any more.
    func checkClosed() {
        // More often than there can be messages: it may pause after each.
        for _ in 0..<64 where readers.contains(where: { !$0.isClosed }) {
            for reader in readers where !reader.isClosed { reader.resume() }
            run.simulation.run(atMost: SimulatedRun.stepLimit)
        }
        for reader in readers where !reader.isClosed {
            note("Slow Hurts Nobody", "reader \(reader.number) is not told of the close")
        }
        if hub.numberOfReaders != 0 {
            note("Slow Hurts Nobody", "\(hub.numberOfReaders) readers are kept after the close")
        }
        readers = []
        hub.report { [self] report in
            let most = 1 + configuration.resumableUpdates
            if report.knownVersions > most {
                note("Slow Hurts Nobody", "\(report.knownVersions) versions are kept for nobody")
            }
        }
    }
}

extension SimulatedHub.Shown {
    /// The items of a part of it that has a shape, at a place; all of them where there is none. Nil where no part of it is
    /// like that.
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
