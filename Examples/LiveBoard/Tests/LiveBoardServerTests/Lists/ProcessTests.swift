import CollectionPublishing
import Foundation
import Testing

@testable import LiveBoardServer

struct ProcessTests {
    private let stat =
        "42 (a (b) c) R 1 42 42 0 -1 4194560 10 0 0 0 300 20 0 0 20 0 7 0 9000 12345 250 0"

    @Test func theLastBracketEndsAName() throws {
        let sample = try #require(
            ProcessSample(
                stat: Array(stat.utf8),
                command: Array("/bin/a\0-x\0".utf8),
                user: "root",
                pageSize: 4096
            )
        )
        #expect(sample.id == 42 && sample.name == "a (b) c" && sample.command == "/bin/a -x")
        #expect(sample.ticks == 320 && sample.threads == 7 && sample.start == 9000)
        #expect(sample.residentBytes == 250 * 4096 && sample.state == .running)
    }

    /// Whatever is cut off or changed, nothing stops.
    @Test func noStatStopsTheProcess() {
        let bytes = Array(stat.utf8)
        for count in bytes.indices {
            _ = ProcessSample(stat: Array(bytes[..<count]), command: [], user: "", pageSize: .max)
            var changed = bytes
            changed[count] = 0xff
            _ = ProcessSample(stat: changed, command: changed, user: "", pageSize: .max)
        }
        #expect(ProcessSample(stat: [], command: [], user: "", pageSize: 1) == nil)
    }

    @Test func linesOfPSAreRead() throws {
        let sample = try #require(ProcessSample(line: "  7 me S+  12.5  2048 /usr/bin/some thing"))
        #expect(sample.id == 7 && sample.user == "me" && sample.cpuTenths == 125)
        #expect(sample.name == "some thing" && sample.residentBytes == 2_097_152)
        for line in ["", "x me S 1 1 a", "7 me S nan 1 a", "7 me S 1 1", "7 me S x 1 a"] {
            #expect(ProcessSample(line: line[...]) == nil)
        }
        let huge = try #require(ProcessSample(line: "7 me S 1e300 9223372036854775807 a"))
        #expect(huge.residentBytes == .max)
    }

    private func sample(_ id: Int, ticks: UInt64, start: UInt64 = 1, user: String = "u")
        -> ProcessSample
    {
        ProcessSample(
            id: id,
            start: start,
            name: "p\(id)",
            command: "",
            user: user,
            state: .sleeping,
            ticks: ticks,
            cpuTenths: nil,
            residentBytes: 0,
            threads: 1
        )
    }

    @Test func processesAreRankedByWhatTheyUsedInBetween() {
        var ranking = ProcessRanking(grouping: .user, ticksPerSecond: 100)
        _ = ranking.state(
            of: [sample(1, ticks: 1000), sample(2, ticks: 0), sample(3, ticks: 7)],
            seconds: 0
        )
        let state = ranking.state(
            of: [
                sample(1, ticks: 1010), sample(2, ticks: 50), sample(3, ticks: 900, start: 2),
                sample(4, ticks: 5000), sample(5, ticks: 1, user: "a"),
            ],
            seconds: 2
        )
        #expect(state.headers.map(\.id) == ["a", "u"])
        // 3 is another process with the same number, and 4 is new: nobody knows what they used when.
        #expect(state.rows.rows[1].map(\.id) == ["2", "1", "3", "4"])
        #expect(state.headers[1].total == "30.0 %" && state.headers[1].count == 4)
    }

    @Test func thisProcessIsFound() throws {
        var sampler = ProcessSampler()
        let samples = try sampler.sample()
        let own = try #require(samples.first { $0.id == getpid() })
        #expect(own.threads >= 1 && own.residentBytes > 0 && !own.command.isEmpty)
    }
}
