import BrokerProcesses
import Foundation

/// What is measured: an append at a time, and many under way, with and without readers, each over the client library by
/// itself and over the adapter.
struct Bench {
    let kind: BrokerKind
    let count: Int
    let sizes: [Int]
    let broker: BrokerProcess
    /// Each measurement has a log of its own.
    private var number = 0

    init(_ kind: BrokerKind, count: Int, sizes: [Int]) throws {
        self.kind = kind
        self.count = count
        self.sizes = sizes
        broker = try BrokerProcess(kind)
    }

    mutating func run() throws {
        defer { broker.end() }
        print("\(kind.rawValue)-server on 127.0.0.1, \(count) records a measurement, best of 3")
        let columns = ["what", "bytes", "readers", "library", "adapter", "adapter/library"]
        Table.print(columns)
        try measureRoundTrips()
        for (what, share) in [("round trip p50, us", 0.5), ("round trip p99, us", 0.99)] {
            let (library, adapter) = (
                Self.share(share, roundTrips.0), Self.share(share, roundTrips.1)
            )
            Table.print([what, "256", "0"] + Table.numbers(library, adapter))
        }
        for size in sizes {
            for readers in [0, 3] {
                // In turn, and the best of each, so that what else the machine does counts less.
                var (library, adapter) = (0.0, 0.0)
                for _ in 0..<3 {
                    library = max(library, try measure(.library, size: size, readers: readers))
                    adapter = max(adapter, try measure(.adapter, size: size, readers: readers))
                }
                Table.print(
                    ["appends a second", "\(size)", "\(readers)"]
                        + Table.numbers(library, adapter)
                )
            }
        }
    }

    private var roundTrips: ([Double], [Double]) = ([], [])

    private mutating func measureRoundTrips() throws {
        let count = min(count, 5_000)
        roundTrips.0 = try side(.library).roundTrips(count: count, size: 256)
        roundTrips.1 = try side(.adapter).roundTrips(count: count, size: 256)
    }

    enum Side { case library, adapter }

    private mutating func side(_ side: Side) throws -> any BenchSide {
        number += 1
        let collection = "bench-\(number)"
        return switch (side, kind) {
        case (.library, .nats): try NATSLibrarySide(port: broker.port, collection)
        case (.library, .redis): try RedisLibrarySide(port: broker.port, collection)
        case (.adapter, _): try AdapterSide(kind, port: broker.port, collection)
        }
    }

    /// Appends a second, with so many readers that follow.
    private mutating func measure(_ which: Side, size: Int, readers: Int) throws -> Double {
        let side = try side(which)
        let seconds = try side.appendAll(count: count, size: size, readers: readers)
        return Double(count) / seconds
    }

    static func share(_ share: Double, _ times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1e6
    }
}

/// One way to the broker.
protocol BenchSide {
    /// How long each of so many appends took, one after the other, in seconds.
    func roundTrips(count: Int, size: Int) throws -> [Double]

    /// How long so many appends took, many under way, until the last was answered, in seconds. Returns when each reader
    /// has read all of them too.
    func appendAll(count: Int, size: Int, readers: Int) throws -> Double
}

/// A way to the broker on which one reads what another appends.
protocol DeliverySide {
    /// How long it took for each of so many records, one after the other, until a reader that follows had it, in seconds.
    func deliveries(count: Int, size: Int) throws -> [Double]
}

/// How many appends are under way at once, on every side.
let window = 1_024

struct BenchFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
}

enum Table {
    static func print(_ cells: [String]) {
        let line = zip(cells, [22, 7, 9, 11, 11, 17]).map { cell, width in
            let fill = String(repeating: " ", count: max(0, width - cell.count))
            return width == 22 ? cell + fill : fill + cell
        }.joined()
        Swift.print(line)
        // Also where the output is a file, so that a long run can be looked at.
        fflush(nil)
    }

    static func numbers(_ library: Double, _ adapter: Double) -> [String] {
        [
            String(format: "%.0f", library), String(format: "%.0f", adapter),
            String(format: "%.2f", adapter / library),
        ]
    }
}
