import CollectionPipeline
import Foundation

// What a change set costs that changes nothing, and small ones on an ordinary collection.

extension Benchmark {
    static let emptySets: [Benchmark] = [
        Benchmark(
            "empty-change-set",
            "an empty change set from submission to completion, after a rest of 200 µs in which threads"
                + " go to sleep: over the bare hops between its lanes",
            goal: .ratioAtMost(2)
        ) { bench in
            let sets = try EmptySets(.init(10, 100))
            let hops = BareHops()
            return bench.samples(bench.scale.pick(2_000, quick: 500)) {
                usleep(200)
                return sets.nanosecondsATrip(of: 1)
            } over: {
                usleep(200)
                return hops.nanosecondsATrip(of: 1)
            }
        },
        // Bare hops that follow on one another stay on one thread, which work between them ends.
        Benchmark(
            "empty-change-set.back-to-back",
            "the same, each submitted by the completion before it"
        ) { bench in
            let trips = 500
            let sets = try EmptySets(.init(10, 100))
            let hops = BareHops()
            return bench.samples(bench.scale.pick(60, quick: 20)) {
                sets.nanosecondsATrip(of: trips)
            } over: {
                hops.nanosecondsATrip(of: trips)
            }
        },
        Benchmark(
            "small-change-set",
            "1 insert or delete and 2 reconfigurations in 400 sections of 10, until a thread that waits"
                + " learns of the completion, wall time"
        ) { bench in
            let collection = try LoadedCollection(.init(400, 10))
            var inserts = false
            return Measurement(
                try bench.samples(bench.scale.pick(2_000, quick: 500)) {
                    inserts.toggle()
                    let plan = collection.plan(
                        deletions: inserts ? 0 : 1,
                        insertions: inserts ? 1 : 0
                    )
                    let changed = collection.plan(deletions: 3, insertions: 0).oldPaths
                        .filter { !plan.oldPaths.contains($0) }.prefix(2)
                    let start = Stopwatch.wallNanoseconds
                    _ = try collection.deploy { source, changes in
                        source.apply(plan, &changes)
                        changes.reconfigureItems(at: Array(changed))
                    }
                    return Double(Stopwatch.wallNanoseconds - start)
                }
            )
        },
    ]
}
