import Foundation

/// A trace parsed with every rule of the Trace Event Format enforced.
///
/// The rules: only known phases, with exactly the fields that they require; numbers are numbers;
/// threads and processes have one name, given before first use; slices of a thread do not overlap
/// unless one contains the other; async spans with one id are nested, in order of time, and end;
/// arrows begin once, end once, later, and inside slices; counters are numbers with the same keys
/// each time.
package struct StrictTrace {
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }
    }

    package struct Slice: Equatable {
        package var process: Int
        package var thread: Int
        package var start: Int
        package var end: Int
        package var name: String
        package var arguments: [String: String] = [:]
    }

    package struct Span {
        package var process: Int
        package var id: String
        package var start: Int
        package var end: Int
        package var name: String
        package var arguments: [String: String]
        package var steps: [Span] = []
    }

    package struct Thread: Hashable {
        package var process: Int
        package var thread: Int

        package init(process: Int, thread: Int) {
            self.process = process
            self.thread = thread
        }
    }

    package private(set) var processNames: [Int: String] = [:]
    package private(set) var threadNames: [Thread: String] = [:]
    package private(set) var slices: [Slice] = []
    package private(set) var spans: [Span] = []
    package private(set) var flows: [String: [Slice]] = [:]
    package private(set) var instants: [Slice] = []
    /// Counter values by "process: counter".
    package private(set) var counters: [String: [[String: Int]]] = [:]

    private var openSpans: [String: [Span]] = [:]
    private var lastTimes: [String: Int] = [:]

    /// Reads a whole trace.
    ///
    /// - Throws: the first ``Fault``.
    package init(_ bytes: [UInt8]) throws {
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        guard let lines = value as? [[String: Any]] else {
            throw Fault("Expected an array of objects")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.split(separator: "\n").count == lines.count + 2 else {
            throw Fault("Expected one event per line")
        }
        for line in lines {
            do { try take(line) } catch { throw Fault("\(error) in \(line)") }
        }
        if let open = openSpans.first(where: { !$0.value.isEmpty }) {
            throw Fault("\(open.key) has no end")
        }
        try checkNesting()
        try checkFlows()
    }

    // MARK: Lines

    private static let fields: [String: (needed: Set<String>, optional: Set<String>)] = [
        "M": (["name", "pid", "args"], ["tid"]),
        "X": (["name", "pid", "tid", "ts", "dur"], ["args"]),
        "b": (["name", "cat", "id", "pid", "tid", "ts"], ["args"]),
        "e": (["name", "cat", "id", "pid", "tid", "ts"], ["args"]),
        "s": (["name", "cat", "id", "pid", "tid", "ts", "bp"], []),
        "t": (["name", "cat", "id", "pid", "tid", "ts", "bp"], []),
        "f": (["name", "cat", "id", "pid", "tid", "ts", "bp"], []),
        "C": (["name", "pid", "ts", "args"], []),
        "i": (["name", "pid", "tid", "ts", "s"], ["args"]),
    ]

    private mutating func take(_ line: [String: Any]) throws {
        let phase: String = try Self.value(line, "ph")
        guard let fields = Self.fields[phase] else { throw Fault("Unknown phase \(phase)") }
        let keys = Set(line.keys).subtracting(["ph"])
        guard fields.needed.isSubset(of: keys),
            keys.subtracting(fields.needed).isSubset(of: fields.optional)
        else { throw Fault("Unexpected fields \(keys.sorted())") }
        let name: String = try Self.value(line, "name")
        let process: Int = try Self.value(line, "pid")
        if phase == "M" { return try takeName(name, process, line) }
        guard processNames[process] != nil else { throw Fault("The process has no name yet") }
        let time = try Self.nanoseconds(line, "ts")
        if phase == "C" { return try count(name, process, line) }
        let thread: Int = try Self.value(line, "tid")
        guard threadNames[Thread(process: process, thread: thread)] != nil else {
            throw Fault("The thread has no name yet")
        }
        var slice = Slice(process: process, thread: thread, start: time, end: time, name: name)
        slice.arguments = try Self.arguments(line)
        switch phase {
        case "X":
            slice.end += try Self.nanoseconds(line, "dur")
            slices.append(slice)
        case "i":
            guard ["g", "p", "t"].contains(try Self.value(line, "s") as String) else {
                throw Fault("Invalid scope")
            }
            instants.append(slice)
        case "b", "e": try takeSpan(phase, slice, try Self.id(line))
        default:
            guard try Self.value(line, "bp") == "e" else { throw Fault("The arrow is not bound") }
            slice.arguments = ["ph": phase]
            flows[try Self.id(line), default: []].append(slice)
        }
    }

    private mutating func takeName(_ name: String, _ process: Int, _ line: [String: Any]) throws {
        let thread = (line["tid"] as? Int).map { Thread(process: process, thread: $0) }
        guard let arguments = line["args"] as? [String: Any], arguments.count == 1 else {
            throw Fault("Expected exactly one argument")
        }
        switch (name, thread) {
        case ("process_name", nil):
            guard processNames[process] == nil else { throw Fault("The process has two names") }
            processNames[process] = try Self.value(arguments, "name")
        case ("thread_name", let thread?):
            guard threadNames[thread] == nil else { throw Fault("The thread has two names") }
            threadNames[thread] = try Self.value(arguments, "name")
        case ("process_sort_index", nil), ("thread_sort_index", _?):
            let _: Int = try Self.value(arguments, "sort_index")
        default: throw Fault("Unknown metadata event")
        }
    }

    private mutating func count(_ name: String, _ process: Int, _ line: [String: Any]) throws {
        guard let arguments = line["args"] as? [String: Int], !arguments.isEmpty else {
            throw Fault("Counter values must be numbers")
        }
        let key = "\(processNames[process] ?? ""): \(name)"
        if let before = counters[key]?.last, Set(before.keys) != Set(arguments.keys) {
            throw Fault("The counter's keys changed")
        }
        counters[key, default: []].append(arguments)
    }

    private mutating func takeSpan(_ phase: String, _ slice: Slice, _ id: String) throws {
        guard slice.start >= lastTimes[id] ?? 0 else { throw Fault("The time decreases") }
        lastTimes[id] = slice.start
        if phase == "b" {
            openSpans[id, default: []].append(
                Span(
                    process: slice.process,
                    id: id,
                    start: slice.start,
                    end: slice.end,
                    name: slice.name,
                    arguments: slice.arguments
                )
            )
            return
        }
        guard var span = openSpans[id]?.popLast() else { throw Fault("The span never began") }
        guard span.name == slice.name else { throw Fault("it ends \(span.name)") }
        span.end = slice.start
        span.arguments.merge(slice.arguments) { $1 }
        if let outer = openSpans[id]?.indices.last {
            openSpans[id]?[outer].steps.append(span)
        } else {
            spans.append(span)
        }
    }

    // MARK: Values

    private static func value<Value>(_ line: [String: Any], _ key: String) throws -> Value {
        guard let value = line[key] as? Value else {
            throw Fault("\(key) is \(line[key] ?? "missing")")
        }
        return value
    }

    /// Microseconds as nanoseconds, which must be whole.
    private static func nanoseconds(_ line: [String: Any], _ key: String) throws -> Int {
        let number: Double = try value(line, key)
        let nanoseconds = (number * 1_000).rounded()
        guard number >= 0, nanoseconds <= 9e18 else { throw Fault("\(key) is \(number)") }
        return Int(nanoseconds)
    }

    private static func id(_ line: [String: Any]) throws -> String {
        let id: String = try value(line, "id")
        guard id.hasPrefix("0x"), UInt64(id.dropFirst(2), radix: 16) != nil else {
            throw Fault("\(id) is not an id")
        }
        return try "\(value(line, "cat") as String) \(id)"
    }

    private static func arguments(_ line: [String: Any]) throws -> [String: String] {
        guard let arguments = line["args"] else { return [:] }
        guard let arguments = arguments as? [String: Any] else { throw Fault("Expected an object") }
        return arguments.mapValues { "\($0)" }
    }

    // MARK: The whole

    /// Slices sorted as viewers read them: by start, the longer one first.
    private func checkNesting() throws {
        let threads = Dictionary(grouping: slices) {
            Thread(process: $0.process, thread: $0.thread)
        }
        for own in threads.values {
            var stack: [Slice] = []
            for slice in own.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
                while let last = stack.last, last.end <= slice.start { stack.removeLast() }
                if let last = stack.last, last.end < slice.end {
                    throw Fault("\(slice) begins in \(last) and ends after it")
                }
                stack.append(slice)
            }
        }
    }

    private func checkFlows() throws {
        for (id, points) in flows {
            let phases = points.compactMap { $0.arguments["ph"] }
            guard phases == ["s", "f"] || phases == ["s", "t", "f"] else {
                throw Fault("arrow \(id) is \(phases)")
            }
            for (point, next) in zip(points, points.dropFirst()) where point.start > next.start {
                throw Fault("arrow \(id) leads back")
            }
            for point in points {
                let isInside = slices.contains {
                    $0.process == point.process && $0.thread == point.thread
                        && $0.start <= point.start && point.start <= $0.end
                }
                guard isInside else { throw Fault("arrow \(id) has a point outside of slices") }
            }
        }
    }
}
