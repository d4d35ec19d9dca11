import Testing

@testable import pipeline_benchmarks

@Suite struct SamplesTests {
    @Test func theMedianIsInTheMiddleWhateverTheOrder() {
        #expect(Samples([3, 1, 2]).median == 2)
        #expect(Samples([4, 1, 2, 3]).median == 2.5)
        #expect(Samples([7]).median == 7)
        #expect(Samples([1, 1, 1, 1_000]).median == 1)
    }

    @Test func quantilesLieBetweenNeighboursInProportion() {
        let samples = Samples([10, 20, 30, 40, 50])
        #expect(samples.quantile(0) == 10)
        #expect(samples.quantile(0.25) == 20)
        #expect(samples.quantile(0.375) == 25)
        #expect(samples.quantile(1) == 50)
    }

    @Test func theSpreadIsHalfTheDistanceBetweenTheQuartilesOverTheMedian() {
        #expect(Samples([10, 20, 30, 40, 50]).spread == 10.0 / 30)
        #expect(Samples([5, 5, 5]).spread == 0)
        #expect(Samples(exactly: 12).spread == 0)
        #expect(Samples([0, 0, 0]).spread == 0)
    }

    @Test func repetitionsComeAfterOneThatOnlyWarmsUp() {
        let bench = Workbench(Scale(repetitionDivisor: 3))
        var calls = 0.0
        let samples = bench.samples(.few) {
            calls += 1
            return calls
        }
        #expect(samples == Samples([2, 3, 4]))
        #expect(calls == 4)
    }

    @Test func twoThingsAreMeasuredInTurns() {
        var order = ""
        let measurement = Workbench(Scale(repetitionDivisor: 4)).samples(.few) {
            order += "v"
            return 6
        } over: {
            order += "r"
            return 2
        }
        #expect(order == "vrvrvr")
        #expect(measurement.value == Samples([6, 6]))
        #expect(measurement.reference == Samples([2, 2]))
    }
}
