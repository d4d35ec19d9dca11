// What the simulated view costs: a screenful, wherever it is.

extension Benchmark {
    static let views: [Benchmark] = [
        Benchmark(
            "view.scroll",
            "1,000,000 self-sizing rows scrolled by viewports from end to end: the last tenth of the"
                + " steps over the first",
            goal: .ratioAtMost(2)
        ) { bench in
            let list = try ScrolledList(rowCount: bench.scale.pick(1_000_000, quick: 100_000))
            var steps: [Double] = []
            while let step = list.step() { steps.append(step) }
            guard list.isAtEnd, steps.count >= 10 else { return nil }
            let tenth = steps.count / 10
            return Measurement(
                Samples(Array(steps.suffix(tenth))),
                over: Samples(Array(steps.prefix(tenth)))
            )
        }
    ]
}
