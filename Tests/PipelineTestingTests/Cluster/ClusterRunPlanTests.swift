import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What happens to a cluster in a run, and what goes wrong with its broker, as they are drawn.
@Suite("What happens to clusters, as drawn", .endsHangs)
struct ClusterRunPlanTests {
    private static let plans = (0..<1500 as Range<UInt64>).map { RunPlan(clusterSeed: $0) }

    private static let actions = plans.flatMap { plan in
        plan.clients.joined().compactMap { action -> ClusterAction? in
            if case .cluster(let action) = action { action } else { nil }
        }
    }

    private static func isRun(_ action: ClusterAction) -> Bool {
        if case .run = action { true } else { false }
    }

    @Test func nothingButAClusterIsRun() {
        for plan in Self.plans {
            #expect(plan.cluster != nil && plan.view == nil && plan.onlyFault == nil)
            #expect(plan.problem == nil)
            #expect(plan.clients.count == 1)
        }
        #expect(Self.actions.count == Self.plans.reduce(0) { $0 + $1.actionCount })
        #expect(Set(Self.plans).count == Self.plans.count)
    }

    // MARK: Faults

    @Test func eachFaultIsPossibleInAQuarterOfTheRunsThatAreNotCalm() {
        let all = Set(FaultPoint.brokerRates.keys)
        let counts = Self.plans.map(\.faults.count)
        #expect(Set(Self.plans.flatMap { $0.faults.map(\.point) }) == all)
        let calm = Double(counts.count { $0 == 0 }) / Double(counts.count)
        #expect((0.22...0.31).contains(calm), "a quarter are calm")
        // Of those that are not, few have none by chance.
        let part = Double(counts.reduce(0, +)) / Double(counts.count { $0 > 0 } * all.count)
        #expect((0.235...0.275).contains(part))
    }

    @Test func ratesAreTheUsualOnesOrFourTimesThese() {
        var isOften: Set<Bool> = []
        var often = 0
        var count = 0
        for fault in Self.plans.flatMap(\.faults) {
            let usual = FaultPoint.brokerRates[fault.point] ?? 0
            #expect(usual > 0 && (fault.rate == usual || fault.rate == 4 * usual))
            isOften.insert(fault.rate > usual)
            often += fault.rate > usual ? 1 : 0
            count += 1
        }
        #expect(isOften == [false, true])
        #expect((0.28...0.39).contains(Double(often) / Double(count)), "a third are")
    }

    // MARK: Steps in between

    @Test func aRunBeginsWithSomethingAndStepsFollowOnMostOfIt() {
        var (happenings, runs) = (0, 0)
        for plan in Self.plans {
            var last: ClusterAction?
            var count = 0
            for case .cluster(let action) in plan.clients.joined() {
                if case .run(let steps) = action {
                    // Never twice, and never before anything happened.
                    #expect(last.map(Self.isRun) == false)
                    #expect((1...150).contains(steps))
                    runs += 1
                } else {
                    count += 1
                }
                last = action
            }
            #expect((4...31).contains(count))
            happenings += count
        }
        let part = Double(runs) / Double(happenings)
        #expect((0.72...0.78).contains(part), "after a quarter of what happens there are none")
    }

    /// Now few steps, now many: up to 8, up to 40, or up to 150.
    @Test func stepsAreMostlyFew() {
        var counts = Array(repeating: 0, count: 151)
        for case .run(let steps) in Self.actions { counts[steps] += 1 }
        #expect(counts[1...150].allSatisfy { $0 > 0 })
        #expect(counts[0] == 0)
        for steps in 1...8 { #expect(counts[steps] > 2 * counts[9], "\(steps)") }
        let some = counts[9...40].reduce(0, +)
        let many = counts[41...72].reduce(0, +)
        #expect(some > 2 * many)
    }

    // MARK: Kinds

    @Test func everythingHappens() {
        var kinds: [String: Int] = [:]
        for action in Self.actions where !Self.isRun(action) {
            let name = String("\(action)".prefix { $0 != "(" })
            kinds[name, default: 0] += 1
        }
        let names = [
            "publish", "wait", "readers", "crash", "restart", "crashWriting", "pause", "goOn",
            "cutOff", "mend", "resign", "close", "stand",
        ]
        #expect(Set(kinds.keys) == Set(names))
        let publishing = kinds["publish"] ?? 0
        for (name, count) in kinds where name != "publish" {
            #expect(count < publishing, "\(name): what is published is what the rest is about")
        }
        // They come in pairs, of which each is as likely.
        for (one, other) in [("pause", "goOn"), ("cutOff", "mend"), ("resign", "close")] {
            let (count, otherCount) = (kinds[one] ?? 0, kinds[other] ?? 0)
            let part = Double(count) / Double(count + otherCount)
            #expect((0.42...0.58).contains(part), "\(one)")
        }
        let standing = Double(kinds["stand"] ?? 0)
        let leaving = Double((kinds["resign"] ?? 0) + (kinds["close"] ?? 0))
        #expect((0.45...0.55).contains(standing / (standing + leaving)), "as many come as go")
    }

    @Test func whatHappensIsWithinItsBounds() {
        var members: Set<Int> = []
        var (directions, calls, times): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
        for action in Self.actions {
            switch action {
            case .crash(let member), .restart(let member), .pause(let member), .goOn(let member),
                .stand(let member), .resign(let member), .close(let member), .mend(let member):
                members.insert(member)
            case .cutOff(let member, let direction):
                members.insert(member)
                directions.insert(direction)
            case .crashWriting(let member, let count):
                members.insert(member)
                calls.insert(count)
            case .wait(let milliseconds): times.insert(milliseconds)
            case .publish, .readers, .run: break
            }
        }
        #expect(members == [0, 1, 2, 3])
        #expect(directions == [1, 2, 3], "requests, answers, or both")
        #expect(calls == [0, 1, 2, 3, 4, 5])
        #expect(times == [20, 200, 1000, 4000])
    }

    /// Now many crashes, now none.
    @Test func runsDifferInWhatHappens() {
        for kind in ["crash(", "pause(", "readers(", "cutOff(", "crashWriting("] {
            let part =
                Double(
                    Self.plans.prefix(300).count { plan in
                        plan.clients.joined().contains { action in
                            if case .cluster(let action) = action {
                                "\(action)".hasPrefix(kind)
                            } else {
                                false
                            }
                        }
                    }
                ) / 300
            #expect((0.2...0.7).contains(part), "\(kind)")
        }
    }
}
