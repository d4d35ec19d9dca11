import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// The journal of a run, which is told what was shown, on a machine that loses its power.
@Suite("The journal of a run", .endsHangs)
struct SimulatedJournalTests {
    /// What is shown in all tests; never changed.
    private static let shown: ShownBoard = {
        let shown = ShownBoard()
        for seed: UInt64 in 0..<16 { shown.apply(seed) }
        return shown
    }()

    private static func run(_ seed: UInt64) -> SimulatedRun {
        var plan = RunPlan(seed: 1)
        (plan.seed, plan.strategy, plan.faults, plan.clients) = (seed, .inOrder, [], [])
        return SimulatedRun(plan, keepsTrace: false)
    }

    private static func show(
        _ update: ViewUpdate,
        to journal: SimulatedJournal,
        _ run: SimulatedRun
    ) {
        journal.shown(update, ShownBoard.contents(of: update.newMap))
        run.simulation.run()
    }

    @Test(arguments: 0..<12)
    func whatIsShownIsKept(_ seed: UInt64) {
        let run = Self.run(seed)
        let journal = SimulatedJournal(run)
        for update in Self.shown.updates { Self.show(update, to: journal, run) }
        journal.checkEnd()
        #expect(run.violations == [])
        #expect(Self.shown.updates.count > 8)
    }

    /// The view may drop an update; the journal goes from what it had to what is shown.
    @Test(arguments: 0..<12)
    func anUpdateThatWasNotShownIsMadeUpFor(_ seed: UInt64) {
        for step in 2...4 {
            let run = Self.run(seed)
            let journal = SimulatedJournal(run)
            for (index, update) in Self.shown.updates.enumerated() where index % step == 0 {
                Self.show(update, to: journal, run)
            }
            journal.checkEnd()
            #expect(run.violations == [])
        }
    }

    /// However much is lost with the power, all of it is written again with what is shown next.
    @Test(arguments: 0..<40)
    func whatIsLostIsWrittenAgain(_ seed: UInt64) throws {
        let run = Self.run(seed)
        let journal = SimulatedJournal(run)
        let storage = journal.storage
        for (index, update) in Self.shown.updates.enumerated() {
            if index % 6 == 5 { storage.losePower() }
            Self.show(update, to: journal, run)
            #expect(journal.journal?.lastSequence == UInt64(index + 1))
        }
        #expect(run.violations == [])
    }

    /// Among what disturbs a journal is that somebody syncs, which keeps all that there is.
    @Test func somebodySyncsWhatNobodyElseDoes() {
        var synced = 0
        for seed: UInt64 in 0..<200 {
            var random = SeededGenerator(seed: seed)
            guard random.next(below: 4) == 2 else { continue }
            let run = Self.run(seed)
            let journal = SimulatedJournal(run)
            for update in Self.shown.updates { Self.show(update, to: journal, run) }
            guard let kept = journal.journal, kept.syncedSequence < kept.lastSequence
            else { continue }
            journal.disturb(seed)
            run.simulation.run()
            #expect(kept.syncedSequence == kept.lastSequence)
            synced += 1
        }
        #expect(synced > 0)
    }
}
