import BrokerProcesses
import CollectionReplication
import Dispatch
import Foundation

/// What members do, over what the broker does by itself: change sets of ten edits a second, how long one takes, and how
/// long a late follower takes to be current.
struct ClusterBench {
    let kind: BrokerKind
    let count: Int
    let rows: Int
    let behind: Int
    private let broker: BrokerProcess

    /// The rows of the list that is followed.
    private static let listRows = 1_000
    private static let latencies = 2_000

    init(_ kind: BrokerKind, count: Int, rows: Int, behind: Int) throws {
        (self.kind, self.count, self.rows, self.behind) = (kind, count, rows, behind)
        broker = try BrokerProcess(kind)
    }

    func run() throws {
        defer { broker.end() }
        print(
            "\(kind.rawValue)-server on 127.0.0.1, \(count) change sets of \(BenchList.editsEach)"
                + " edits, all members in this process"
        )
        try measureAlone()
        for number in [0, 1, 3] { try measureFlow(number) }
        try measureLateFollower()
    }

    private func line(_ what: String, _ value: String) {
        print(what + String(repeating: " ", count: max(1, 68 - what.count)) + value)
        fflush(nil)
    }

    private func side(_ collection: String) throws -> any BenchSide & DeliverySide {
        switch kind {
        case .nats: try NATSLibrarySide(port: broker.port, collection)
        case .redis: try RedisLibrarySide(port: broker.port, collection)
        }
    }

    private func member(
        _ collection: String,
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in }
    ) throws -> BenchMember {
        try BenchMember(kind, port: broker.port, collection, configure)
    }

    // MARK: Change sets that flow

    /// The controller and its hub, of which nothing goes anywhere.
    private func measureAlone() throws {
        let source = try BenchSource(rows: Self.listRows)
        let (start, processorTime) = (DispatchTime.now(), Self.processorTime)
        _ = try source.edit(count: count)
        let time = Self.seconds(from: start, to: .now())
        let used = Self.processorTime - processorTime
        line("controller and hub alone: change sets a second", Self.whole(Double(count) / time))
        line("  processor time for each, us", Self.whole(used / Double(count) * 1e6))
    }

    /// A leader's change sets until all have them: without followers, which is what a leader can do, and with them.
    private func measureFlow(_ number: Int) throws {
        let name = "flow-\(number)"
        let leader = try BenchLeader(member(name), rows: Self.listRows)
        let followers = try (0..<number).map { _ in try member(name) }
        defer { for member in followers + [leader.member] { member.close() } }
        for follower in followers {
            try BenchMember.wait("a follower") { follower.replica.status.isCurrent }
        }
        if number == 1 { try measureLatency(leader, followers[0]) }
        let updates = followers.map(\.updates)
        try BenchMember.wait("a leader") { leader.member.replica.status.pendingRecords == 0 }
        let before = leader.member.replica.status.logPosition
        let processorTime = Self.processorTime
        let start = DispatchTime.now()
        let version = try leader.shownVersion(of: try leader.source.edit(count: count))
        var end = DispatchTime.now()
        for follower in followers { end = max(end, try follower.wait(for: version)) }
        let rate = Double(count) / Self.seconds(from: start, to: end)
        let used = Self.processorTime - processorTime
        let replica = leader.member.replica
        // It says how it is after it has told who waits.
        try BenchMember.wait("a leader") { replica.status.pendingRecords == 0 }
        let position = replica.status.logPosition
        line("\(number) followers: change sets a second until all show them", Self.whole(rate))
        let each = used / Double(count)
        line("  processor time of this process for each, us", Self.whole(each * 1e6))
        let told = zip(followers, updates).map { $0.updates - $1 }
        let records = position - before
        line("  records that they made; updates that followers showed", "\(records)  \(told)")
        let size = try recordSize(name, at: position)
        let own = try (0..<3).map { attempt in
            try side("own-\(number)-\(attempt)")
                .appendAll(count: count, size: size, readers: number)
        }
        let ownRate = Double(count) / (own.min() ?? 0)
        line(
            "  the broker's own a second, of \(size) bytes, \(number) readers; ratio",
            "\(Self.whole(ownRate))  \(Self.ratio(rate / ownRate))"
        )
    }

    private func recordSize(_ collection: String, at position: UInt64) throws -> Int {
        let log = try AdapterSide.log(kind, broker.port, collection)
        let batch = try Waiting<LogBatch>.wait {
            log.read(
                from: position,
                limit: LogReadLimit(records: 1, bytes: 1),
                wait: .seconds(1),
                $0
            )
        }
        return batch.records.first?.count ?? 0
    }

    // MARK: One change set at a time

    private func measureLatency(_ leader: BenchLeader, _ follower: BenchMember) throws {
        var (fromCall, fromDeployment): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.latencies {
            let start = DispatchTime.now()
            let (deployed, generation) = try leader.source.editOnce()
            let version = try leader.shownVersion(of: generation)
            let shown = try follower.wait(for: version)
            fromCall.append(Self.seconds(from: start, to: shown))
            fromDeployment.append(Self.seconds(from: deployed, to: shown))
        }
        let own = try side("deliveries").deliveries(count: Self.latencies, size: 280)
        let adapter = try AdapterSide(kind, port: broker.port, "adapter")
            .deliveries(count: Self.latencies, size: 280)
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let times = [fromDeployment, fromCall, own, adapter].map { Bench.share(share, $0) }
            line("\(name) from deployment until a follower shows it, us", Self.whole(times[0]))
            line("\(name) from the call that makes the change set, us", Self.whole(times[1]))
            line(
                "\(name) of publish and deliver over the adapter, us; ratio",
                "\(Self.whole(times[3]))  \(Self.ratio(times[3] / times[2]))"
            )
            line(
                "\(name) of the broker's own publish and deliver, us; ratios",
                "\(Self.whole(times[2]))  \(Self.ratio(times[0] / times[2]))"
                    + "  \(Self.ratio(times[1] / times[2]))"
            )
        }
    }

    // MARK: Who comes late

    private func measureLateFollower() throws {
        let leader = try BenchLeader(member("late"), rows: rows)
        defer { leader.member.close() }
        let replica = leader.member.replica
        // The list itself is in a snapshot that came when it was published, since it is too long for a record.
        let start = DispatchTime.now()
        let version = try leader.shownVersion(of: try leader.source.edit(count: behind))
        let time = Self.seconds(from: start, to: .now())
        line("\(behind) change sets of a list of \(rows) rows, s", String(format: "%.1f", time))
        for attempt in 1...3 {
            let begin = DispatchTime.now()
            let late = try member("late")
            let shown = try late.wait(for: version)
            try BenchMember.wait("a late follower") { late.replica.status.isCurrent }
            let seconds = Self.seconds(from: begin, to: shown)
            line(
                "late follower \(attempt), current after s; updates that it was told",
                "\(String(format: "%.2f", seconds))  \(late.updates)"
            )
            late.close()
        }
        line("position of the log", "\(replica.status.logPosition)")
    }

    // MARK: Numbers

    private static func seconds(from start: DispatchTime, to end: DispatchTime) -> Double {
        Double(end.uptimeNanoseconds) / 1e9 - Double(start.uptimeNanoseconds) / 1e9
    }

    private static func whole(_ value: Double) -> String { String(format: "%.0f", value) }

    private static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }

    /// Of all threads of this process, in seconds.
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime]
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
