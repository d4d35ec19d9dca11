import Foundation
import Testing

@testable import pipeline_benchmarks

/// Figures as texts, letter by letter.
@Suite struct FigureTextTests {
    @Test func columnsAreAsWideAsTheirTitlesSay() throws {
        let table = FigureTable(names: ["ab", "a.bc"], isJudged: true, width: 120)
        let widths = [4 + 11, 8, 12, 10, 17, 5]
        let titles = ["value", "spread", "reference", "ratio", "goal", "met"]
        let padded = zip(titles, widths).map { title, width in
            String(repeating: " ", count: width - title.count) + title
        }
        #expect(table.header[0] == padded.joined())
        let figure = try Benchmark.fixed("ab", [3], over: [1], goal: .ratioAtMost(4)).figure()
        let cells = zip(["3 ns", "± 0 %", "1 ns", "3 x", "at most 4 x", "yes"], widths).map {
            String(repeating: " ", count: $1 - $0.count) + $0
        }
        let line = "ab" + String(cells.joined().dropFirst(2))
        #expect(table.line(figure) == line)
    }

    @Test func cellsThatAreTooWideKeepASpace() throws {
        let table = FigureTable(names: ["n"], isJudged: true, width: 120)
        let figure = try Benchmark.fixed("n", [123_456_789_012_345], in: .bytes).figure()
        #expect(table.line(figure).hasPrefix("n 123456789012345 B   ± 0 %"))
    }

    @Test func nothingIsKnownOfWhatThePlatformCannotTell() throws {
        let table = FigureTable(names: ["n"], isJudged: true, width: 120)
        let unknown = Benchmark("n", "", in: .bytes, goal: .valueAtMost(1)) { _ in nil }
        let words = try table.line(unknown.figure()).split(separator: " ")
        #expect(words.joined(separator: " ") == "n unknown at most 1 B -")
    }

    @Test(
        arguments: [
            (0, "0 ns"), (0.5, "0.50 ns"), (9.5, "9.50 ns"), (10, "10 ns"), (10.25, "10.2 ns"),
            (99.5, "99.5 ns"), (100.5, "100 ns"), (100.25, "100 ns"), (999.5, "1000 ns"),
            (1e3, "1 µs"), (1e6, "1 ms"), (999_999, "1000 µs"), (1e9, "1 s"), (1.5e9, "1.50 s"),
            (-20.5, "-20.5 ns"),
        ]
    )
    func timesHaveTheirUnit(nanoseconds: Double, text: String) {
        #expect(FigureTable.text(nanoseconds, .nanoseconds) == text)
    }

    @Test func countsHaveNoUnitAndBytesHaveOne() {
        #expect(FigureTable.text(2_500_000, .bytes) == "2500000 B")
        #expect(FigureTable.text(1.5, .allocations) == "1.50")
        #expect(FigureTable.text(12, .threads) == "12")
    }

    /// What is written of a number: at least six digits, and no more than a measurement has.
    @Test(
        arguments: [
            (0, "0"), (1, "1"), (-3, "-3"), (0.5, "0.5"), (1.0 / 3, "0.333333"),
            (2.0 / 3, "0.666667"),
            (123.456_789, "123.457"), (99_999.96, "100000"), (123_456.7, "123457"),
            (100_000.5, "100001"), (1e14, "100000000000000"), (1e15, "1000000000000000.0"),
            (0.1, "0.1"),
            (1e-9, "1e-09"), (1.5e-12, "2e-12"), (1e-13, "0"), (12.345_678, "12.3457"),
        ] as [(Double, String)]
    )
    func numbersHaveSixDigits(number: Double, text: String) throws {
        let line = try Benchmark.fixed("n", [number]).figure().json(isJudged: true)
        #expect(line.hasPrefix(#"{"name":"n","value":\#(text),"unit""#), "\(line)")
    }

    @Test func theSideOfAGoalIsSaid() throws {
        for (goal, bound, side) in [
            (Goal.valueAtMost(3), "3", "at most"), (.ratioAtMost(2.5), "2.5", "at most"),
            (.ratioAtLeast(7), "7", "at least"),
        ] {
            let line = try Benchmark.fixed("n", [4], over: [8], goal: goal).figure()
                .json(isJudged: true)
            #expect(line.contains(#","goal":\#(bound),"bound":"\#(side)","met":"#))
        }
    }

    @Test func theMeanOfNoBlocksIsNothing() {
        var times = LaneTimes()
        #expect(times.meanNanoseconds == 0)
        (times.nanoseconds, times.blocks) = (30, 4)
        #expect(times.meanNanoseconds == 7.5)
        #expect(LaneTimes().longestNanoseconds == 0 && LaneTimes().wallNanoseconds == 0)
        #expect(LaneTimes().allocations == 0 && LaneTimes().nanoseconds == 0)
    }

    // MARK: Machine

    @Test func theHeadNamesMachineCompilerAndRun() {
        let machine = Machine(
            processor: "P",
            cores: 2,
            system: "S",
            compiler: "C",
            date: "D"
        )
        #expect(
            machine.lines(.quick, isJudged: true) == [
                "machine   P, 2 cores", "system    S", "compiler  C, release", "run       D, quick",
            ]
        )
        let debug = machine.lines(.full, isJudged: false)
        #expect(debug[2] == "compiler  C, debug: the figures mean nothing and are not judged")
        #expect(debug[3] == "run       D, full")
        #expect(Machine.current.cores == ProcessInfo.processInfo.activeProcessorCount)
        #expect(Machine.current.compiler.hasPrefix("Swift 6."))
    }

    @Test func theFirstModelNameCounts() {
        #expect(Machine.processorName(in: "") == nil)
        #expect(Machine.processorName(in: "model name") == nil)
        #expect(Machine.processorName(in: "model name: a:b:c") == "a:b:c")
        #expect(Machine.processorName(in: "x: 1\n\tmodel name \t:  b \nmodel name: c") == "b")
    }

    // MARK: Terminal

    @Test func nothingIsErasedThatIsNotShown() {
        let terminal = MemorySink(isTerminal: true)
        var line = ProgressLine(on: terminal)
        line.erase()
        #expect(terminal.text.isEmpty)
        line.show("a", number: 1, of: 2)
        #expect(terminal.text == "\r\u{1B}[K[1/2] a …")
        line.erase()
        line.erase()
        #expect(terminal.text == "\r\u{1B}[K[1/2] a …\r\u{1B}[K")
        let file = MemorySink()
        var none = ProgressLine(on: file)
        none.show("a", number: 1, of: 2)
        none.erase()
        #expect(file.text.isEmpty)
    }

    @Test func aFirstOutputThatIsRepeatedIsNoConflict() throws {
        #expect(try BenchmarkOptions(["--json", "--json"]).output == .json)
        #expect(try BenchmarkOptions(["--list", "--list"]).output == .list)
    }

    // MARK: Heap

    @Test func whatIsNotKnownIsNoNumber() {
        #expect(Heap.known(-1) == nil)
        #expect(Heap.known(0) == 0)
        #expect(Heap.known(7) == 7)
    }

    @Test func aMarkTellsByHowMuchTheHeapGrew() throws {
        guard let mark = Heap.Mark() else { return }
        let block = opaque(malloc(512 << 20))
        defer { free(block) }
        // Other tests allocate and free at the same time.
        #expect(mark.growth > 256 << 20)
        #expect(mark.growth < 768 << 20)
        // In all there is more than what was there before.
        #expect(try #require(Heap.bytesInUse) > mark.growth)
    }

    @Test func allocationsAreCountedFromWhereTheyBegin() {
        guard Heap.allocationCount != nil else { return }
        let blocks = (0..<100).map { _ in opaque(malloc(16)) }
        for block in blocks { free(block) }
        #expect(Heap.allocations { free(opaque(malloc(100))) } == 1)
        #expect(Heap.allocations {} == 0)
    }

    @Test func standardStreamsWriteAll() throws {
        let pipe = Pipe()
        let stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try stream.write("")
        try stream.write("one\n")
        try stream.write("two\n")
        try pipe.fileHandleForWriting.close()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        #expect(String(decoding: data, as: UTF8.self) == "one\ntwo\n")
        #expect(!stream.isTerminal)
        #expect(throws: WriteFault(errorNumber: EBADF)) {
            try StandardStream(descriptor: -1).write("x")
        }
        #expect(StandardStream.output.descriptor == 1 && StandardStream.errors.descriptor == 2)
    }
}
