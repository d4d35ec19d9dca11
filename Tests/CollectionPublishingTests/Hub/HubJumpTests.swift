import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A hub that publishes what was published elsewhere, and now and then goes on from something else: as that of a member
/// of a replicated log does.
@Suite("A hub goes on from something else", .endsHangs)
struct HubJumpTests {
    private static let handle = HistoryHandle(rawValue: 7)
    private static let other = HistoryHandle(rawValue: 8)

    /// One section of items, which show their numbers.
    private static func state(_ numbers: [Int]) -> PublishedState {
        let items = numbers.map {
            PublishedItem(number: UInt64($0), payload: PublishedPayload("\($0)"))
        }
        let section = PublishedContents.FreshSection(
            section: PublishedSection(number: 1, payload: nil),
            items: items
        )
        return PublishedState([section], shape: [items.count])
    }

    /// Readers of every kind.
    enum Kind: String, CaseIterable {
        case merged
        case individual
        case window
        case following
    }

    /// A hub in a simulation, with a reader of each kind that listens, and one that is paused.
    final class Scene {
        let simulation = Simulation(seed: 1)
        let hub: UpdateHub
        private(set) var readers: [Kind: ReplicaReader] = [:]
        private(set) var paused: [Kind: ReplicaReader] = [:]
        private var tokens: [Kind: HubReader] = [:]
        private var pausedTokens: [Kind: HubReader] = [:]
        private(set) var version = PublishedVersion(handle: HubJumpTests.handle, number: 0)
        private(set) var numbers: [Int] = []

        init(_ interval: Duration = .zero) throws {
            var configuration = HubConfiguration()
            configuration.handle = HubJumpTests.handle
            configuration.minimumInterval = interval
            hub = UpdateHub(configuration: configuration, environment: simulation.environment)
            jump(to: Array(10..<20), at: 5)
            for kind in Kind.allCases {
                let (listening, pausing) = (ReplicaReader(), ReplicaReader(room: 1))
                (readers[kind], paused[kind]) = (listening, pausing)
                tokens[kind] = try add(kind, listening)
                pausedTokens[kind] = try add(kind, pausing)
            }
            settle()
        }

        private func add(_ kind: Kind, _ reader: ReplicaReader) throws -> HubReader {
            switch kind {
            case .merged: try reader.read(hub, policy: .merged)
            case .individual: try reader.read(hub, policy: .individually(limit: 8))
            case .window: try reader.read(hub, window: .rows(0, count: 4))
            case .following: try reader.read(hub, window: .around(row: 5, before: 1, after: 1))
            }
        }

        /// Lets everything happen that needs no time; or all of it.
        func settle(_ duration: Duration = .seconds(10)) {
            let end = simulation.now + duration
            while simulation.now < end, simulation.step() {}
        }

        func jump(to numbers: [Int], at number: Int, of handle: HistoryHandle = handle) {
            self.numbers = numbers
            version = PublishedVersion(handle: handle, number: number)
            hub.jump(to: KeptState(HubJumpTests.state(numbers)), at: version)
        }

        func publish(_ numbers: [Int], at number: Int? = nil) {
            let (old, new) = (
                HubJumpTests.state(self.numbers), HubJumpTests.state(numbers)
            )
            let to = PublishedVersion(handle: version.handle, number: number ?? version.number + 1)
            let changeSet = new.changes(from: old)
            let update = PublishedUpdate(
                from: version,
                to: to,
                changeSet: changeSet,
                contents: PublishedContents(of: changeSet, in: new),
                digest: new.digest
            )
            (self.numbers, version) = (numbers, to)
            hub.publish(update, leadingTo: KeptState(new)) {}
        }

        func resume(_ kind: Kind, room: Int = .max) {
            paused[kind]?.makeRoom(room)
            pausedTokens[kind]?.resume()
        }

        /// What a reader of a kind must see; nil where that depends on what it followed.
        private func expected(_ kind: Kind) -> [String]? {
            let texts = numbers.map { "\($0)" }
            switch kind {
            case .merged, .individual: return texts
            // The first row is the section.
            case .window: return Array(texts.prefix(3))
            case .following: return nil
            }
        }

        func check(_ reader: ReplicaReader?, _ kind: Kind, _ note: String) {
            let replica = reader?.replica ?? CollectionReplica()
            #expect(reader?.errors == [], "\(note)")
            let found = replica.state.texts.flatMap { $0 }.compactMap { $0 }
            if let expected = expected(kind) { #expect(found == expected, "\(note): \(kind)") }
            // Whatever it followed, it sees neighbours.
            let texts = numbers.map { "\($0)" }
            let start = found.first.flatMap { texts.firstIndex(of: $0) } ?? 0
            #expect(Array(texts[start...].prefix(found.count)) == found, "\(note): \(kind)")
            if kind == .merged || kind == .individual {
                #expect(replica.version == version, "\(note): \(kind)")
            }
        }

        func checkListening(_ note: String) {
            for kind in Kind.allCases { check(readers[kind], kind, note) }
        }

        /// Resumes those who are paused, of whom everybody must see what there is then.
        func checkPaused(_ note: String) {
            for kind in Kind.allCases { resume(kind) }
            settle()
            for kind in Kind.allCases { check(paused[kind], kind, "\(note), paused") }
        }

        /// The last messages that readers of the whole list were told.
        func lastWords(_ kind: Kind) -> [String] {
            [readers, paused].map { $0[kind]?.messages.values.last { !$0.isMark }?.words ?? "" }
        }
    }

    // MARK: One jump

    @Test(arguments: [Duration.zero, .seconds(1)])
    func readersAreToldTheDifferenceOfALaterVersionOfTheHistory(_ interval: Duration) throws {
        let scene = try Scene(interval)
        scene.jump(to: [10, 30, 12, 13, 31, 15], at: 50)
        scene.settle()
        scene.checkListening("a jump")
        scene.checkPaused("a jump")
        for kind in [Kind.merged, .individual] {
            #expect(scene.lastWords(kind) == ["update 5 50", "update 5 50"])
        }
    }

    @Test(arguments: [Duration.zero, .seconds(1)])
    func readersAreToldEverythingOfAnotherHistory(_ interval: Duration) throws {
        let scene = try Scene(interval)
        for (step, number) in [9, 5, 3].enumerated() {
            let handle = HistoryHandle(rawValue: UInt64(20 + step))
            scene.jump(to: [number, 30, 12], at: number, of: handle)
            scene.settle()
            scene.checkListening("history \(step)")
        }
        scene.checkPaused("a jump")
        for kind in [Kind.merged, .individual] {
            #expect(scene.lastWords(kind).allSatisfy { $0.hasPrefix("reset 3 ") })
        }
    }

    @Test(arguments: [Duration.zero, .seconds(1)])
    func readersAreToldEverythingOfAnEarlierVersionOfTheHistory(_ interval: Duration) throws {
        let scene = try Scene(interval)
        scene.jump(to: [40, 41, 42, 43, 44, 45, 46], at: 3)
        scene.settle()
        scene.checkListening("a jump")
        scene.checkPaused("a jump")
        for kind in [Kind.merged, .individual] {
            #expect(scene.lastWords(kind).allSatisfy { $0.hasPrefix("reset 3 ") })
        }
    }

    @Test func whoPausesAtANumberThatAnotherHistoryHasAsWellIsToldEverything() throws {
        let scene = try Scene()
        // The same number, and other things there.
        scene.jump(to: [50, 51], at: 5, of: Self.other)
        scene.settle()
        scene.checkListening("the same number")
        scene.checkPaused("the same number")
    }

    @Test func whoPausesAtANumberThatAnotherHistoryReachesLaterIsToldEverything() throws {
        let scene = try Scene()
        scene.jump(to: [50, 51], at: 3, of: Self.other)
        scene.publish([50, 51, 52], at: 5)
        scene.settle()
        scene.checkListening("the number of before")
        scene.publish([50, 51, 52, 53], at: 6)
        scene.settle()
        scene.checkListening("the number of before")
        scene.checkPaused("the number of before")
    }

    @Test func whatWasNotAnnouncedIsToldWithTheJump() throws {
        for isTold in [true, false] {
            let scene = try Scene(.seconds(1))
            // The first may be announced at once, the second not before the jump.
            scene.publish([10, 11, 12, 60, 13, 14, 15])
            scene.settle(isTold ? .milliseconds(10) : .zero)
            scene.publish([61, 11, 12, 60, 13, 14, 15])
            scene.settle(isTold ? .milliseconds(10) : .zero)
            scene.jump(to: [61, 11, 12, 60, 13, 14, 15, 16, 62], at: 90)
            scene.settle()
            scene.checkListening("a jump")
            scene.checkPaused("a jump")
        }
    }

    // MARK: Any number of them

    @Test(arguments: 0..<Effort.number(400, usually: 25))
    func readersConvergeWhateverAHubGoesOnFrom(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let scene = try Scene([Duration.zero, .milliseconds(500)][seed % 2])
        var next = 100
        var highest = 0
        // What there was at which version of the history that is there.
        var known = [(version: scene.version.number, numbers: scene.numbers)]
        for step in 0..<40 {
            var numbers = scene.numbers
            for _ in 0...random.next(below: 3) {
                let place = random.next(below: numbers.count + 1)
                if random.chance(0.5) || numbers.isEmpty {
                    numbers.insert(next, at: place)
                    next += 1
                } else {
                    numbers.remove(at: min(place, numbers.count - 1))
                }
            }
            highest = max(highest, scene.version.number)
            switch random.next(below: 8) {
            case 0: scene.jump(to: numbers, at: highest + 10, of: scene.version.handle)
            case 1:
                // Numbers of histories do not meet, as those of a log.
                let handle = HistoryHandle(rawValue: UInt64(100 + step))
                known = []
                scene.jump(to: numbers, at: highest + 1_000 + random.next(below: 50), of: handle)
            case 2:
                let earlier = known[random.next(below: known.count)]
                scene.jump(to: earlier.numbers, at: earlier.version, of: scene.version.handle)
                // Numbers that were used are not used again, as those of a log.
                highest += 10_000
                scene.publish(earlier.numbers + [next], at: highest)
                next += 1
            case 3: scene.resume(Kind.allCases[random.next(below: 4)], room: 1)
            default: scene.publish(numbers)
            }
            if known.count > 4 { known.removeFirst() }
            known.append((scene.version.number, scene.numbers))
            if random.chance(0.7) { scene.settle(.milliseconds(random.next(below: 700))) }
            if random.chance(0.3) {
                scene.settle()
                scene.checkListening("step \(step) of seed \(seed)")
            }
        }
        scene.settle()
        scene.checkListening("seed \(seed)")
        scene.checkPaused("seed \(seed)")
    }

    @Test func whoComesBackWithAVersionOfBeforeTheJumpIsToldTheDifference() throws {
        let scene = try Scene()
        scene.publish([10, 11, 70])
        scene.jump(to: [10, 71, 70], at: 1_000)
        scene.publish([10, 71, 70, 72])
        scene.settle()
        let reader = ReplicaReader()
        try reader.adopt(
            PublishedSnapshot(
                version: PublishedVersion(handle: Self.handle, number: 5),
                state: Self.state(Array(10..<20)),
                digest: Self.state(Array(10..<20)).digest
            )
        )
        let token = try reader.read(scene.hub, from: reader.replica.version)
        scene.settle()
        #expect(reader.errors == [])
        #expect(reader.texts == [["10", "71", "70", "72"]])
        #expect(reader.messages.values.map(\.words) == ["update 5 1001", "upToDate 1001"])
        withExtendedLifetime(token) {}
    }
}

extension HubMessage {
    fileprivate var isMark: Bool { if case .upToDate = self { true } else { false } }
}
