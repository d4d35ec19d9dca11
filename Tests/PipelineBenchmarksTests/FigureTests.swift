import Foundation
import Testing

@testable import pipeline_benchmarks

@Suite struct FigureTests {
    @Test func aCostIsTheValueOverItsReference() throws {
        let benchmark = Benchmark.fixed("cost", [30], over: [10], goal: .ratioAtMost(3))
        #expect(try benchmark.figure().ratio == 3)
        #expect(try benchmark.figure().isMet == true)
        #expect(
            try Benchmark.fixed("c", [31], over: [10], goal: .ratioAtMost(3)).figure().isMet
                == false
        )
        #expect(try Benchmark.fixed("reported", [30], over: [10]).figure().ratio == 3)
    }

    @Test func aGainIsTheReferenceOverTheValue() throws {
        let benchmark = Benchmark.fixed("gain", [10], over: [1_000], goal: .ratioAtLeast(100))
        #expect(try benchmark.figure().ratio == 100)
        #expect(try benchmark.figure().isMet == true)
        #expect(
            try Benchmark.fixed("g", [10], over: [999], goal: .ratioAtLeast(100)).figure().isMet
                == false
        )
    }

    @Test func aValueIsJudgedWithoutItsReference() throws {
        let benchmark = Benchmark.fixed("value", [12], over: [1], goal: .valueAtMost(12))
        #expect(try benchmark.figure().isMet == true)
        #expect(try benchmark.figure().ratio == 12)
        #expect(try Benchmark.fixed("v", [13], goal: .valueAtMost(12)).figure().isMet == false)
    }

    @Test func aRatioThatIsNotThereMeetsNothing() throws {
        #expect(try Benchmark.fixed("r", [1], goal: .ratioAtMost(3)).figure().isMet == false)
        #expect(
            try Benchmark.fixed("r", [0], over: [1], goal: .ratioAtLeast(1)).figure().isMet == false
        )
    }

    @Test func whatIsOnlyReportedIsNotJudged() throws {
        #expect(try Benchmark.fixed("reported", [1]).figure().isMet == nil)
    }

    @Test func whatThePlatformCannotTellIsNotJudged() throws {
        let benchmark = Benchmark("unknown", "", in: .bytes, goal: .valueAtMost(1)) { _ in nil }
        #expect(try benchmark.figure().isMet == nil)
        #expect(try benchmark.figure().json(isJudged: true).contains(#""value":null"#))
    }

    // MARK: JSON

    @Test func aLineHasEveryKeyInOrder() throws {
        let figure = try Benchmark.fixed("a.b", [30, 40, 50], over: [16], goal: .ratioAtMost(3))
            .figure()
        #expect(
            figure.json(isJudged: true)
                == #"{"name":"a.b","value":40,"unit":"ns","spread":0.125,"reference":16,"ratio":2.5"#
                + #","goal":3,"bound":"at most","met":true}"#
        )
    }

    @Test func whatIsNotThereIsNull() throws {
        let line = try Benchmark.fixed("reported", [1.5], in: .bytes).figure().json(isJudged: true)
        #expect(
            line == #"{"name":"reported","value":1.5,"unit":"bytes","spread":0,"reference":null"#
                + #","ratio":null,"goal":null,"bound":null,"met":null}"#
        )
    }

    @Test func aDebugBuildJudgesNothing() throws {
        let figure = try Benchmark.fixed("missed", [9], goal: .valueAtMost(1)).figure()
        #expect(figure.json(isJudged: true).contains(#""met":false"#))
        #expect(figure.json(isJudged: false).contains(#""met":null"#))
    }

    @Test(
        arguments: [
            0, 1, -1, 0.1, 1.0 / 3, 1e-9, 123_456.789, 1e12, 1e15, 1e300, -2.5e-7, .infinity, .nan,
        ]
    )
    func everyNumberIsJSONAndCloseToItself(number: Double) throws {
        let figure = try Benchmark.fixed("n", [number]).figure()
        let data = Data(figure.json(isJudged: true).utf8)
        let object = try #require(
            JSONSerialization.jsonObject(with: data) as? [String: Any]
        )
        guard number.isFinite else {
            #expect(object["value"] is NSNull)
            return
        }
        let value = try #require(object["value"] as? NSNumber).doubleValue
        #expect(abs(value - number) <= max(abs(number) * 1e-5, 1e-12))
    }
}
