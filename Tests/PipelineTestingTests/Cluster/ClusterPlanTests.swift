import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// How the members of a cluster are drawn, what of that they are told, and what a plan from outside may say.
@Suite("Plans of clusters", .endsHangs)
struct ClusterPlanTests {
    private static let plans = (0..<4000 as Range<UInt64>).map { seed in
        var random = SeededGenerator(seed: seed)
        return ClusterPlan(&random)
    }

    /// How large a part of the plans is so.
    private static func part(_ isSo: (ClusterPlan) -> Bool) -> Double {
        Double(plans.count { isSo($0) }) / Double(plans.count)
    }

    private static let usual = plans[0]

    // MARK: Drawing

    @Test func theSameSeedGivesTheSameMembers() {
        var (first, second) = (SeededGenerator(seed: 5), SeededGenerator(seed: 5))
        #expect(ClusterPlan(&first) == ClusterPlan(&second))
        #expect(Set(Self.plans).count > 3900)
    }

    @Test func whatIsDrawnCanBeRun() {
        for plan in Self.plans { #expect(plan.problem == nil) }
    }

    @Test func thereAreTwoToFourMembers() {
        #expect(Set(Self.plans.map(\.members.count)) == [2, 3, 4])
        for count in 2...4 {
            #expect((0.28...0.39).contains(Self.part { $0.members.count == count }))
        }
    }

    /// Members mostly agree about what they show, as those of a deployment do.
    @Test func visibilitiesAreMostlyTheSameForAll() {
        let members = Self.plans.flatMap(\.members)
        #expect(Set(members.map(\.visibility)) == [0, 1, 2])
        let agreeing = Self.part { Set($0.members.map(\.visibility)).count == 1 }
        #expect((0.6...0.85).contains(agreeing))
    }

    @Test func somebodyAlwaysStandsAndNotAlwaysEverybody() {
        for plan in Self.plans { #expect(plan.members.contains { $0.stands }) }
        let everybody = Self.part { $0.members.allSatisfy(\.stands) }
        #expect((0.15...0.6).contains(everybody))
        let members = Self.plans.flatMap(\.members)
        let journals = Double(members.count(where: \.hasJournal)) / Double(members.count)
        #expect((0.7...0.8).contains(journals), "most keep one")
    }

    /// Of each size there are a few, from the least on, and each comes about equally often.
    static let sizes: [(name: String, of: @Sendable (ClusterPlan) -> Int, values: [Int])] = [
        ("lease", \.leaseMilliseconds, [100, 500, 2000]),
        ("answer", \.answerMilliseconds, [100, 500, 2000]),
        ("read", \.readMilliseconds, [50, 300, 1000]),
        ("retry", \.retryMilliseconds, [10, 100]),
        ("patience", \.patienceMilliseconds, [500, 3000]),
        ("fault", \.faultMilliseconds, [100, 1000, 4000]),
        ("records of a read", \.readRecords, [1, 3, 500]),
        ("records in flight", \.inFlightRecords, [1, 2, 500]),
        ("pending records", \.pendingRecords, [2, 6, 4000]),
        ("bytes of a chunk", \.chunkBytes, [200, 1 << 18]),
        ("records between snapshots", \.snapshotInterval, [2, 5, 20, 1000]),
        ("remembered appends", \.rememberedAppends, [0, 4, 1000]),
    ]

    @Test func eachSizeIsOneOfAFew() {
        for size in Self.sizes {
            let counts = Self.plans.reduce(into: [:]) { $0[size.of($1), default: 0] += 1 }
            #expect(counts.keys.sorted() == size.values, "\(size.name)")
            let even = Self.plans.count / size.values.count
            for (value, count) in counts {
                #expect((even * 4 / 5...even * 6 / 5).contains(count), "\(size.name) \(value)")
            }
        }
    }

    /// Records that nothing fits in are for few runs only, since little is published in these.
    @Test func recordsAreSeldomTiny() {
        #expect(Set(Self.plans.map(\.recordBytes)) == [400, 1 << 18])
        #expect((0.09...0.16).contains(Self.part { $0.recordBytes == 400 }))
    }

    // MARK: Telling members

    @Test func membersAreToldWhatThePlanSays() {
        var plan = Self.usual
        plan.members = (0..<3).map {
            ClusterPlan.Member(visibility: $0, hasJournal: true, stands: true)
        }
        (plan.leaseMilliseconds, plan.answerMilliseconds) = (11, 12)
        (plan.readMilliseconds, plan.retryMilliseconds) = (13, 14)
        (plan.patienceMilliseconds, plan.readRecords) = (15, 16)
        (plan.inFlightRecords, plan.pendingRecords) = (17, 18)
        (plan.recordBytes, plan.chunkBytes, plan.snapshotInterval) = (19, 20, 21)
        let visibilities: [ReplicationVisibility] = [.immediately, .afterLocalSync, .afterBroker]
        for index in 0..<3 {
            let configuration = plan.configuration(of: index)
            #expect(configuration.visibility == visibilities[index])
            #expect(configuration.name == "\(index) replica")
            #expect(configuration.hub.name == "\(index) hub")
            #expect(configuration.leaseDuration == .milliseconds(11))
            #expect(configuration.answerTimeout == .milliseconds(12))
            #expect(configuration.readWait == .milliseconds(13))
            #expect(configuration.retryInterval == .milliseconds(14))
            #expect(configuration.rollbackPatience == .milliseconds(15))
            #expect(configuration.readLimit == LogReadLimit(records: 16, bytes: 1 << 20))
            #expect(configuration.inFlightRecords == 17)
            #expect(configuration.pendingRecords == 18)
            #expect(configuration.recordByteLimit == 19)
            #expect(configuration.chunkByteCount == 20)
            #expect(configuration.snapshotInterval == 21)
        }
    }

    // MARK: Leaving out

    @Test func theLastMemberIsLeftOutFirstAndTheFirstNever() {
        var plan = Self.plans.first { $0.members.count == 3 } ?? Self.usual
        let members = plan.members
        for count in [2, 1, 1, 1] {
            plan.leaveOutMember()
            #expect(plan.members == Array(members.prefix(count)))
            #expect(plan.problem == nil)
        }
    }

    // MARK: From outside

    private static func problem(_ change: (inout ClusterPlan) -> Void) -> String? {
        var plan = usual
        change(&plan)
        return plan.problem
    }

    @Test func thereAreOneToEightMembers() {
        let member = Self.usual.members[0]
        for count in 0...10 {
            let problem = Self.problem { $0.members = Array(repeating: member, count: count) }
            let expected = (1...8).contains(count) ? nil : "there are \(count) members"
            #expect(problem == expected)
        }
    }

    @Test func visibilitiesAreThree() {
        for visibility in -2...4 {
            for index in Self.usual.members.indices {
                let problem = Self.problem { $0.members[index].visibility = visibility }
                let isOne = (0...2).contains(visibility)
                #expect(problem == (isOne ? nil : "a visibility is not 0 to 2"))
            }
        }
    }

    @Test func timesAreOfAMinuteAtMost() {
        let times: [(inout ClusterPlan, Int) -> Void] = [
            { $0.leaseMilliseconds = $1 }, { $0.answerMilliseconds = $1 },
            { $0.readMilliseconds = $1 }, { $0.retryMilliseconds = $1 },
            { $0.patienceMilliseconds = $1 }, { $0.faultMilliseconds = $1 },
        ]
        for change in times {
            for time in [1, 2, 59_999, 60_000] {
                #expect(Self.problem { change(&$0, time) } == nil)
            }
            for time in [0, -1, 60_001, .max, .min] {
                let problem = Self.problem { change(&$0, time) }
                #expect(problem == "a time is \(time) milliseconds, not 1 to 60000")
            }
        }
    }

    @Test func limitsAreOfAMillionAtMost() {
        let most = 1 << 20
        let limits: [(inout ClusterPlan, Int) -> Void] = [
            { $0.readRecords = $1 }, { $0.inFlightRecords = $1 }, { $0.pendingRecords = $1 },
            { $0.recordBytes = $1 }, { $0.chunkBytes = $1 }, { $0.snapshotInterval = $1 },
        ]
        for change in limits {
            for limit in [1, 2, most - 1, most] {
                #expect(Self.problem { change(&$0, limit) } == nil)
            }
            for limit in [0, -1, most + 1, .max, .min] {
                let problem = Self.problem { change(&$0, limit) }
                #expect(problem == "a limit is \(limit), not 1 to 1048576")
            }
        }
        for (count, isAllowed) in [(-1, false), (0, true), (1, true), (most, true)] {
            #expect((Self.problem { $0.rememberedAppends = count } == nil) == isAllowed)
        }
        let problem = Self.problem { $0.rememberedAppends = most + 1 }
        #expect(problem == "appends cannot be remembered so")
    }

    @Test func theFirstOfSeveralProblemsIsTold() {
        let limits = Self.problem { ($0.readRecords, $0.snapshotInterval) = (0, -7) }
        #expect(limits == "a limit is 0, not 1 to 1048576")
        let times = Self.problem { ($0.leaseMilliseconds, $0.faultMilliseconds) = (0, -7) }
        #expect(times == "a time is 0 milliseconds, not 1 to 60000")
    }
}
