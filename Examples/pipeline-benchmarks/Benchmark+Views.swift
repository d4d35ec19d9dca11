// What the simulated view costs: a screenful, wherever it is.

extension Benchmark {
    static let views: [Benchmark] = [
        Benchmark(
            "view.scroll",
            "1,000,000 self-sizing rows scrolled by viewports from end to end: the last tenth of the"
                + " steps over the first",
            goal: .ratioAtMost(2)
        ) { bench in
            let list = try ScrolledList(rowCount: bench.scale.rows)
            var steps: [Double] = []
            while let step = list.step() { steps.append(step) }
            guard list.isAtEnd else { throw Failure("the view is not at the end of its rows") }
            return ScrolledList.lastTenth(of: steps)
        }
    ]
}
