import Testing

@testable import pipeline_benchmarks

@Suite struct BenchmarkListTests {
    @Test func everyNameIsOneOfAKind() {
        let names = Benchmark.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "." || $0 == "-" })
        }
    }

    @Test func everyBenchmarkSaysWhatItMeasures() {
        for benchmark in Benchmark.all { #expect(benchmark.title.count > 20) }
    }
}
