import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// Campaigns over runs that are made up.
@Suite struct CampaignTests {
    /// What a campaign asked for.
    private final class Record {
        var plans: [RunPlan] = []
        var told: [String] = []
        var progress: [UInt64] = []
    }

    private func options(_ arguments: String...) throws -> SimulateOptions {
        try SimulateOptions(arguments)
    }

    /// Runs a campaign whose clock goes on by a second with each look at it.
    private func campaign(
        _ options: SimulateOptions,
        _ record: Record = Record(),
        _ result: @escaping (RunPlan) -> RunResult = { .made($0) }
    ) -> Campaign {
        var seconds: UInt64 = 1_000
        var campaign = Campaign(
            options,
            by: { plan in
                record.plans.append(plan)
                return result(plan)
            },
            clock: {
                seconds += 1
                return seconds * 1_000_000_000
            },
            willRun: { record.told.append("\($0) \($1.map { "\($0)" } ?? "-")") }
        )
        campaign.run { record.progress.append($0.seeds) }
        return campaign
    }

    @Test func everySeedRunsOnceAndOneInTwentyTwice() throws {
        let record = Record()
        let campaign = try campaign(options("--from", "38", "--seeds", "25"), record)
        #expect(campaign.seeds == 25 && campaign.runs == 25)
        #expect(campaign.failure == nil && campaign.failedSeed == nil)
        let seeds: [UInt64] = Array(38...40) + Array(40...60) + [60, 61, 62]
        #expect(record.plans == seeds.map { RunPlan(seed: $0) })
        #expect(record.told == (38...62).map { "\($0) -" })
    }

    @Test func stepsAndMarksAddUp() throws {
        let campaign = try campaign(options("--from", "1", "--seeds", "20")) { plan in
            .made(plan, steps: 7, marks: ["a": 2, "b": plan == RunPlan(seed: 3) ? 5 : 0])
        }
        // Seed 20 runs again for its steps only.
        #expect(campaign.steps == 21 * 7)
        #expect(campaign.marks == ["a": 40, "b": 5])
    }

    @Test func theFirstFailureEndsIt() throws {
        let record = Record()
        let campaign = try campaign(options("--from", "5", "--seeds", "9"), record) { plan in
            .made(plan, broken: plan == RunPlan(seed: 7) ? [.numbered(1)] : [])
        }
        #expect(campaign.seeds == 3 && campaign.runs == 3 && record.plans.count == 3)
        #expect(campaign.failedSeed == 7)
        #expect(campaign.failure?.plan == RunPlan(seed: 7))
        #expect(campaign.failure?.violations == [.numbered(1)])
    }

    @Test func aRunThatIsAnotherTheSecondTimeIsAFailure() throws {
        let record = Record()
        let campaign = try campaign(options("--from", "19", "--seeds", "9"), record) { plan in
            let count = record.plans.count
            return .made(plan, steps: 10 * count, fingerprint: UInt64(count))
        }
        #expect(campaign.failedSeed == 20)
        #expect(
            campaign.failure?.violations.map(\.description)
                == ["Simulation: the run was another the second time: 20 and 30 steps"]
        )
    }

    @Test func eachFaultRunsAlone() throws {
        let record = Record()
        let campaign = try campaign(
            options("--anomalies", "--from", "3", "--seeds", "2"),
            record
        ) { plan in .made(plan, opportunities: 3) }
        #expect(campaign.runs == 8 && campaign.seeds == 2)
        #expect(record.plans.allSatisfy { $0.faults.isEmpty })
        #expect(record.plans.map(\.onlyFault) == [nil, 0, 1, 2, nil, 0, 1, 2])
        #expect(record.told == ["3 -", "3 0", "3 1", "3 2", "4 -", "4 0", "4 1", "4 2"])
        #expect(record.progress == [1, 2])
    }

    @Test(arguments: [nil, 0, 2])
    func whatBreaksFirstOfAllFaultsIsTheFailure(number: Int?) throws {
        let record = Record()
        let campaign = try campaign(options("--anomalies", "--seeds", "4"), record) { plan in
            .made(plan, broken: plan.onlyFault == number ? [.numbered(9)] : [], opportunities: 5)
        }
        #expect(campaign.failedSeed == 0 && campaign.seeds == 1)
        #expect(campaign.failure?.plan.onlyFault == number)
        #expect(record.plans.count == (number ?? -1) + 2)
    }

    @Test func progressIsToldNowAndThen() throws {
        let record = Record()
        _ = try campaign(options("--seeds", "600"), record)
        #expect(record.progress == [256, 512])
    }

    @Test func theClockIsLookedAtNowAndThenAndEndsIt() throws {
        // It goes on by a second each time: after three looks, more than two and a half have passed.
        let ended = try campaign(options("--minutes", "0.0416", "--seeds", "1000"))
        #expect(ended.seeds == 128)
        let exact = try campaign(options("--minutes", "0.05", "--seeds", "1000"))
        #expect(exact.seeds == 192)
        #expect(try campaign(options("--seeds", "1000")).seeds == 1_000)
    }

    @Test func aStrategyIsForEverySeed() throws {
        let given = try Campaign(options("--strategy", "in-order"))
        var plan = RunPlan(seed: 2)
        plan.strategy = .inOrder
        #expect(given.plan(of: 2) == plan)
        #expect(try Campaign(options()).plan(of: 2) == RunPlan(seed: 2))
    }

    // MARK: Figures

    @Test func theVerdictIsOneSentence() throws {
        func verdict(_ arguments: String..., opportunities: Int = 0) throws -> String {
            try campaign(SimulateOptions(arguments)) {
                .made($0, steps: 400, opportunities: opportunities)
            }.verdict
        }
        #expect(try verdict("--seeds", "0") == "0 seeds, 0 steps: nothing was tried.")
        let one = try verdict("--from", "1", "--seeds", "1")
        #expect(one == "1 seed, 400 steps: every guarantee held.")
        let each = try verdict("--anomalies", "--seeds", "2", opportunities: 4)
        #expect(each == "2 seeds, 10 runs, 4,000 steps: every guarantee held.")
    }

    @Test func theCountersHaveEveryMarkInOrder() throws {
        let campaign = try campaign(options("--from", "1", "--seeds", "4")) { plan in
            .made(plan, steps: 50, marks: ["zebra": 1, "deployed": 3])
        }
        let lines = campaign.counters.split(separator: "\n")
        // The clock is at its second look.
        #expect(lines.first == "4 seeds from 1, 4 runs, 200 steps, 200 steps a second")
        let names = Campaign.expectedMarks.union(["zebra"]).sorted()
        let counts = ["zebra": 4, "deployed": 12]
        let expected = names.map { "  \($0): \(counts[$0] ?? 0)" }
        #expect(lines.dropFirst().map(String.init) == expected)
    }

    @Test func aLongCampaignMissesWhatItNeverReached() throws {
        let missing = ["deployed", "callback", "fault viewRefuses"]
        let marks = Campaign.expectedMarks.subtracting(missing)
        let reached = Dictionary(uniqueKeysWithValues: marks.map { ($0, 1) })
        func missed(_ arguments: String...) throws -> [String] {
            try campaign(SimulateOptions(arguments)) { plan in
                .made(plan, opportunities: 2, marks: reached)
            }.missedMarks
        }
        #expect(try missed("--seeds", "2000") == missing.sorted())
        #expect(try missed("--seeds", "1999") == [])
        #expect(try missed("--seeds", "2000", "--strategy", "sticky") == [])
        // Every run of a seed reaches much the same, and a few seeds may well leave something out.
        #expect(try missed("--seeds", "1999", "--anomalies") == [])
    }

    @Test func everyFaultIsToBeReached() {
        for point in FaultPoint.all {
            #expect(Campaign.expectedMarks.contains("fault \(point.rawValue)"))
        }
        #expect(Campaign.expectedMarks.count == FaultPoint.all.count + 21)
    }
}
