import CollectionChanges
import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import PipelineTesting

/// The application of a leader: a list that changes at random and is published by a hub. Each state
/// has a unique mark that identifies it wherever it is shown.
final class SimulatedSource: @unchecked Sendable {  // one thread
    let number: Int
    let hub: UpdateHub
    private var state = PublishedState()
    private var sections: [PublishedContents.InsertedSection] = []
    private(set) var published = 0
    private var lastNumber: UInt64 = 1
    private var random: SeededGenerator
    private let note: (SourceMark, PublishedState) -> Void

    /// The number of the item with the mark.
    private static let marked: UInt64 = 1

    /// - Parameters:
    ///   - snapshot: The list when the leadership begins.
    ///   - environment: The environment of the process.
    ///   - note: Called with each state and its mark before it is published.
    init(
        _ number: Int,
        from snapshot: PublishedSnapshot,
        _ random: SeededGenerator,
        _ environment: any PipelineEnvironment,
        label: String,
        note: @escaping (SourceMark, PublishedState) -> Void
    ) {
        (self.number, self.random, self.note) = (number, random, note)
        var configuration = HubConfiguration()
        configuration.name = label
        if self.random.isTrue(oneIn: 4) { configuration.minimumInterval = .milliseconds(50) }
        hub = UpdateHub(configuration: configuration, environment: environment)
        // It may also begin with its own state.
        if !self.random.isTrue(oneIn: 4) { adopt(snapshot.state) }
        if self.random.isTrue(oneIn: 2) || last == nil { mark() }
        publish()
    }

    /// The mark of the last published state.
    private(set) var last: SourceMark?

    /// Changes the list and publishes it.
    func change() {
        for _ in 0...random.next(below: 3) { edit() }
        mark()
        publish()
    }

    private func adopt(_ other: PublishedState) {
        for index in 0..<other.numberOfSections {
            let items = other.items(inSection: index).map { item in
                let mark = item.payload.flatMap { SourceMark($0) }
                if let mark { last = mark }
                return PublishedItem(
                    number: mark == nil ? nextNumber() : Self.marked,
                    payload: item.payload
                )
            }
            let header = other.section(at: index)?.payload
            let section = PublishedSection(number: nextNumber(), payload: header)
            sections.append(PublishedContents.InsertedSection(section: section, items: items))
        }
    }

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func mark() {
        let mark = SourceMark(source: number, number: published + 1)
        last = mark
        let item = PublishedItem(number: Self.marked, payload: mark.payload)
        for index in sections.indices {
            let place = sections[index].items.firstIndex { $0.number == Self.marked }
            if let place { return sections[index].items[place] = item }
        }
        if sections.isEmpty { insertSection() }
        sections[0].items.insert(item, at: 0)
    }

    private func publish() {
        published += 1
        let shape = HierarchyShape(sections.map(\.items.count))
        let next = PublishedState(sections, shape: shape)
        if let last { note(last, next) }
        let update = RenderedUpdate(
            next.changes(from: state),
            to: published,
            item: { next.item(at: $0)?.payload },
            header: { next.section(at: $0)?.payload }
        )
        state = next
        hub.publish(update)
    }

    // MARK: Edits

    /// Only a few different payloads, so that many items are equal.
    private func payload() -> PublishedPayload? {
        let letter = random.next(below: 5)
        return letter == 0 ? nil : PublishedPayload(utf8: ["a", "b", "c", "d"][letter - 1])
    }

    private func insertSection() {
        let section = PublishedSection(number: nextNumber(), payload: payload())
        let items = (0..<random.next(below: 3)).map { _ in
            PublishedItem(number: nextNumber(), payload: payload())
        }
        let place = random.next(below: sections.count + 1)
        sections.insert(
            PublishedContents.InsertedSection(section: section, items: items),
            at: place
        )
    }

    private func edit() {
        guard !sections.isEmpty else { return insertSection() }
        let index = random.next(below: sections.count)
        let count = sections[index].items.count
        let place = random.next(below: max(1, count))
        switch random.next(below: 10) {
        case 0 where sections.count < 4: insertSection()
        case 1: sections.remove(at: index)
        case 2:
            let section = sections.remove(at: index)
            sections.insert(section, at: random.next(below: sections.count + 1))
        case 3:
            let number = sections[index].section.number
            sections[index].section = PublishedSection(number: number, payload: payload())
        case 4 where count > 0: sections[index].items.remove(at: place)
        case 5 where count > 0:
            let item = sections[index].items.remove(at: place)
            let other = random.next(below: sections.count)
            let target = random.next(below: sections[other].items.count + 1)
            sections[other].items.insert(item, at: target)
        case 6 where count > 0:
            let number = sections[index].items[place].number
            let other = PublishedPayload(utf8: ["a", "b", "c", "d"][random.next(below: 4)])
            sections[index].items[place] = PublishedItem(number: number, payload: other)
        default:
            guard count < 6 else { return }
            let item = PublishedItem(number: nextNumber(), payload: payload())
            sections[index].items.insert(item, at: random.next(below: count + 1))
        }
    }
}

/// The source and the number of a state.
struct SourceMark: Hashable {
    let source: Int
    let number: Int

    var payload: PublishedPayload { PublishedPayload(utf8: "#\(source).\(number)") }

    /// Parses a mark; `nil` if the payload is not a mark.
    init?(_ payload: PublishedPayload) {
        guard payload.bytes.first == UInt8(ascii: "#") else { return nil }
        let parts = String(decoding: payload.bytes.dropFirst(), as: UTF8.self).split(separator: ".")
        guard parts.count == 2, let source = Int(parts[0]), let number = Int(parts[1]) else {
            return nil
        }
        self.init(source: source, number: number)
    }

    init(source: Int, number: Int) { (self.source, self.number) = (source, number) }
}

extension SourceMark: CustomStringConvertible {
    var description: String { "#\(source).\(number)" }
}

/// A reader of some member's hub that takes its version along to another member; or one that stays,
/// and observes everything that a member shows.
final class ClusterReader: @unchecked Sendable {  // one thread
    let label: String
    private unowned let cluster: SimulatedCluster
    /// The observed member; `nil` for a reader that moves.
    private weak var watched: SimulatedMember?
    private var random: SeededGenerator
    private(set) var replica = CollectionReplica()
    private var reader: HubReader?
    private(set) weak var member: SimulatedMember?
    private var isPaused = false
    /// The number of the connection; messages from earlier connections are dropped.
    private var connection = 0
    private var hasClosed = false

    init(
        _ cluster: SimulatedCluster,
        label: String,
        watching watched: SimulatedMember?,
        _ random: SeededGenerator
    ) {
        (self.cluster, self.label, self.watched, self.random) = (cluster, label, watched, random)
    }

    // MARK: Actions

    /// Joins a member with the current version.
    func join(_ member: SimulatedMember) {
        guard let hub = member.hub else { return }
        disconnect()
        self.member = member
        let connection = connection
        var policy = ReaderPolicy.separate(limit: 1000)
        if watched == nil, random.isTrue(oneIn: 2) { policy = .coalesced }
        do throws(HubError) {
            reader = try hub.addReader(from: replica.version, policy: policy) {
                [weak self] message in
                guard let self, connection == self.connection else { return .pause }
                return receive(message)
            }
        } catch {
            cluster.note("No Gap No Double", "\(label) was rejected: \(error)")
        }
    }

    func disconnect() {
        connection += 1
        (reader, member, isPaused, hasClosed) = (nil, nil, false, false)
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        reader?.resume()
    }

    // MARK: Messages

    private func receive(_ message: HubMessage) -> ReaderDemand {
        do throws(ReplicaError) {
            try replica.apply(message)
        } catch {
            let isOther = error.code == .digestMismatch || error.code == .mismatch
            cluster.note(isOther ? "Converges" : "No Gap No Double", "\(label): \(error)")
            return .more
        }
        var isReset = false
        switch message {
        case .reset(_, let reason):
            isReset = true
            cluster.mark("\(watched == nil ? "reader" : "watcher") reset \(reason.rawValue)")
        case .update: cluster.mark("reader notified")
        case .upToDate: break
        case .closed: hasClosed = true
        }
        if let version = replica.version {
            cluster.oracle.shown(replica, at: version, to: label)
            if let watched { cluster.oracle.shown(replica, by: watched, isReset: isReset) }
        }
        if watched == nil, !hasClosed, random.isTrue(oneIn: 4) {
            isPaused = true
            return .pause
        }
        return .more
    }

    /// Checks that at rest the replica is current, unless the reader is paused.
    func checkAtRest(_ newest: PublishedVersion) {
        guard member != nil, !isPaused, !hasClosed else { return }
        if replica.version != newest {
            let found = replica.version.map { "\($0)" } ?? "nothing"
            cluster.note("Converges", "\(label) has \(found) at rest, and \(newest) is the newest")
        }
    }
}
