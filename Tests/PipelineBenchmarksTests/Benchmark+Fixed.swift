@testable import pipeline_benchmarks

extension Benchmark {
    /// A benchmark that measures nothing and knows its figure.
    static func fixed(
        _ name: String,
        _ values: [Double],
        over references: [Double]? = nil,
        in unit: Unit = .nanoseconds,
        goal: Goal? = nil
    ) -> Benchmark {
        Benchmark(name, "A fixed figure", in: unit, goal: goal) { _ in
            Measurement(Samples(values), over: references.map(Samples.init))
        }
    }

    func figure() throws -> Figure { Figure(self, try measure(Workbench(.quick))) }
}
