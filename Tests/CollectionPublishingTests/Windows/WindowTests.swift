import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPublishing

@Suite("Windows of a hub")
struct WindowTests {
    @Test func partsOfAStateAreWhatIsInTheirRows() throws {
        for seed in 0..<UInt64(Effort.number(100, usually: 20)) {
            var updates = PublishedUpdates(seed: seed)
            for _ in 0..<3 { _ = try updates.next(rate: 0.5) }
            let state = try updates.model.published()
            let (rows, table) = (ListRows(updates.model), RowTable(state.shape))
            for first in 0...rows.rows.count {
                for end in first...rows.rows.count {
                    let part = state.part(first..<end, table)
                    let place = table.place(of: first..<end)
                    let expected = rows.seen(from: first, count: end - first)
                    #expect(StateModel(part) == expected.model)
                    #expect(place == expected.place)
                    #expect(part.shape == expected.model.shape)
                    #expect(place.misfit(part.shape) == nil)
                    if end > first {
                        #expect(place.headerRow == table.row(ofHeader: place.firstSection))
                    }
                }
            }
        }
    }

    @Test func whatIsDifferentBetweenTwoPartsIsOneUpdate() throws {
        for seed in 0..<UInt64(Effort.number(200, usually: 40)) {
            var updates = PublishedUpdates(seed: seed)
            _ = try updates.next(rate: 0.6)
            for _ in 0..<4 {
                let old = try updates.model.published()
                _ = try updates.next(rate: 0.2)
                let new = try updates.model.published()
                let changes = new.changes(from: old)
                let contents = PublishedContents(of: changes, in: new)
                #expect(contents.fit(changes))
                #expect(old.applying(changes, contents) == new)
                // Nothing is brought that was there as it is.
                let known = Set(old.entries.flatMap { $0.items.map(\.number) })
                let brought = contents.freshSections.flatMap(\.items) + contents.insertedItems
                #expect(known.isDisjoint(with: brought.map(\.number)))
            }
        }
    }

    /// Twenty readers of windows beside a hub's core, and what each must have.
    final class Scene: @unchecked Sendable {  // one thread
        final class Reader: @unchecked Sendable {  // one thread
            let core: WindowReaderCore
            var replica = CollectionReplica()
            var errors: [ReplicaError] = []
            var isPaused = false
            /// How many messages it takes before it pauses.
            var room: Int
            var messages: [HubMessage] = []
            // What it wants to see: rows from a place, or around what is called so.
            var first = 0
            var label: String?
            var before = 0
            var count = 0

            init(_ window: PublishedWindow, room: Int) {
                self.room = room
                let box = Lock<Reader?>(nil)
                core = WindowReaderCore(WindowProgress(joining: window), isPaused: true) {
                    box.withLock { $0 }?.take($0) ?? .pause
                }
                box.withLock { $0 = self }
            }

            private func take(_ message: HubMessage) -> ReaderDemand {
                messages.append(message)
                do throws(ReplicaError) { try replica.apply(message) } catch {
                    errors.append(error)
                }
                room -= 1
                isPaused = room <= 0
                return isPaused ? .pause : .more
            }
        }

        let simulation: Simulation
        let core: HubCore
        var updates: PublishedUpdates
        var random: SeededGenerator
        var readers: [Reader] = []
        var version = 0

        init(seed: UInt64) {
            simulation = Simulation(seed: seed)
            var configuration = HubConfiguration()
            configuration.handle = HistoryHandle(rawValue: 7)
            configuration.digestInterval = 1
            core = HubCore(configuration, simulation.environment)
            updates = PublishedUpdates(seed: seed)
            random = SeededGenerator(seed: seed)
        }

        var rows: ListRows { ListRows(StateModel(core.snapshot.state)) }

        func publish(rate: Double) throws {
            let (changeSet, _) = try updates.next(rate: rate)
            version += 1
            let model = updates.model
            let update = RenderedUpdate(
                changeSet,
                to: version,
                item: { model.sections[$0.section].items[$0.item].payload },
                header: { model.sections[$0].section.payload }
            )
            core.publish(update) {}
            simulation.run()
        }

        /// A window that is drawn, of which `reader` must see what it is of.
        func draw(_ setUp: (PublishedWindow) -> Reader) {
            let rows = rows.rows
            let follows = random.isTrue(oneIn: 2) && !rows.isEmpty
            let row = random.next(below: rows.count + 3)
            let (before, after) = (random.next(below: 5), random.next(below: 6))
            let version = random.isTrue(oneIn: 2) ? nil : core.snapshot.version
            let window: PublishedWindow =
                follows
                ? .around(row: row, at: version, before: before, after: after)
                : .rows(row, count: after)
            let reader = setUp(window)
            reader.first = row
            reader.label = follows ? rows[min(row, rows.count - 1)].identity : nil
            reader.before = before
            reader.count = follows ? before + 1 + after : after
        }

        func join() {
            draw { window in
                let reader = Reader(window, room: random.isTrue(oneIn: 2) ? .max : 1)
                readers.append(reader)
                core.resume(reader.core)
                return reader
            }
            simulation.run()
        }

        func move(_ reader: Reader) {
            draw { window in
                core.setWindow(window, of: reader.core)
                return reader
            }
            simulation.run()
        }

        /// The rows that a reader must see; nil where what it follows is gone.
        func seen(by reader: Reader) -> (model: StateModel, place: WindowPlace)? {
            let rows = rows
            guard let label = reader.label else {
                return rows.seen(from: reader.first, count: reader.count)
            }
            guard let row = rows.row(of: label) else { return nil }
            return rows.seen(from: row - reader.before, count: reader.count)
        }

        func check(_ context: String) {
            for (index, reader) in readers.enumerated() {
                let name = "\(context), reader \(index)"
                #expect(reader.errors == [], "\(name)")
                if reader.isPaused { continue }
                guard let expected = seen(by: reader) else {
                    move(reader)
                    continue
                }
                let found = StateModel(reader.replica.state)
                #expect(found == expected.model, "\(name)")
                if reader.replica.version == core.snapshot.version {
                    #expect(reader.replica.place == expected.place, "\(name)")
                }
            }
        }
    }

    @Test func everyReaderHasWhatIsInItsWindow() throws {
        var quiet = 0
        for seed in 0..<UInt64(Effort.number(100, usually: 30)) {
            let scene = Scene(seed: seed)
            try scene.publish(rate: 0.9)
            for _ in 0..<12 { scene.join() }
            scene.check("seed \(seed), at first")
            for step in 0..<25 {
                let counts = scene.readers.map(\.messages.count)
                try scene.publish(rate: step.isMultiple(of: 5) ? 0.3 : 0.03)
                quiet += zip(counts, scene.readers).count {
                    $0 == $1.messages.count && !$1.isPaused
                }
                scene.check("seed \(seed), step \(step)")
                for reader in scene.readers where reader.isPaused && scene.random.isTrue(oneIn: 3) {
                    reader.room = scene.random.isTrue(oneIn: 2) ? .max : 1
                    reader.isPaused = false
                    scene.core.resume(reader.core)
                    scene.simulation.run()
                }
                let reader = scene.readers[scene.random.next(below: scene.readers.count)]
                if scene.random.isTrue(oneIn: 3) { scene.move(reader) }
                if scene.random.isTrue(oneIn: 6) {
                    scene.core.beat()
                    scene.simulation.run()
                    for reader in scene.readers where !reader.isPaused {
                        #expect(reader.replica.version == scene.core.snapshot.version)
                    }
                }
                scene.check("seed \(seed), after step \(step)")
            }
        }
        #expect(quiet > 500)
    }
}
