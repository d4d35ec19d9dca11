import CollectionPipeline

// The functions that write lines, one for each kind of line.

extension ChromeTraceEncoder {
    /// Thread numbers, which also define the order of the rows: the two lanes of the pipeline, then
    /// workers, then other lanes.
    enum Thread {
        static let mainLane = 101
        static let editingLane = 102
        static func worker(_ number: Int) -> Int { 110 + max(1, min(number, 9_000)) }
        static func lane(_ number: Int) -> Int { 10_000 + number }
    }

    /// Returns the state of a pipeline. A new pipeline gets the next number, and lines with its
    /// name.
    mutating func process(_ name: String) -> Process {
        if let process = processes[name] { return process }
        let process = Process(number: processes.count + 1)
        processes[name] = process
        line("{\"ph\":\"M\",\"name\":\"process_name\"")
        json.member("pid", process.number)
        json.object("args") { $0.member("name", name) }
        json.raw("}")
        line("{\"ph\":\"M\",\"name\":\"process_sort_index\"")
        json.member("pid", process.number)
        json.object("args") { $0.member("sort_index", process.number) }
        json.raw("}")
        return process
    }

    /// Writes the name of a thread before the first line that refers to it. Returns the number of
    /// the process.
    mutating func thread(_ number: Int, _ name: @autoclosure () -> String, of pipeline: String)
        -> Int
    {
        let process = process(pipeline)
        guard !process.threads.contains(number) else { return process.number }
        processes[pipeline]?.threads.insert(number)
        for isName in [true, false] {
            line("{\"ph\":\"M\"")
            json.member("name", isName ? "thread_name" : "thread_sort_index")
            json.member("pid", process.number)
            json.member("tid", number)
            json.object("args") {
                if isName { $0.member("name", name()) } else { $0.member("sort_index", number) }
            }
            json.raw("}")
        }
        return process.number
    }

    private static func name(ofThread number: Int) -> String {
        number == Thread.mainLane ? "main lane" : "editing lane"
    }

    private mutating func place(_ process: Int, _ thread: Int, _ time: Int64) {
        json.member("pid", process)
        json.member("tid", thread)
        json.member("ts", microseconds: time)
    }

    // MARK: Work and counts

    mutating func add(_ work: TraceEntry.Work, from start: Int64) {
        let (number, name): (Int, String)
        switch work.place {
        case .mainLane: (number, name) = (Thread.mainLane, "main lane")
        case .worker(let worker): (number, name) = (Thread.worker(worker), "worker \(worker)")
        case .lane(let label):
            var process = process(work.pipeline)
            let index = process.lanes[label] ?? process.lanes.count
            process.lanes[label] = index
            processes[work.pipeline] = process
            (number, name) = (Thread.lane(index), label)
        }
        let process = thread(number, name, of: work.pipeline)
        line("{\"ph\":\"X\"")
        self.place(process, number, start)
        json.member("dur", microseconds: max(0, work.end.wholeNanoseconds - start))
        json.member("name", work.name)
        if let part = work.part {
            json.object("args") { json in
                json.member("part", part.index)
                json.member("of", part.count)
                json.member("for", part.lane)
            }
        }
        json.raw("}")
    }

    mutating func add(_ count: TraceEntry.Count, at time: Int64) {
        guard !count.values.isEmpty else { return }
        counter(count.name, count.pipeline, time) { json in
            for value in count.values { json.member(value.name, value.number) }
        }
    }

    mutating func counter(
        _ name: String,
        _ unit: String,
        _ number: Int,
        _ pipeline: String,
        _ time: Int64
    ) {
        counter(name, pipeline, time) { $0.member(unit, number) }
    }

    private mutating func counter(
        _ name: String,
        _ pipeline: String,
        _ time: Int64,
        _ values: (inout JSONWriter) -> Void
    ) {
        let process = process(pipeline).number
        line("{\"ph\":\"C\"")
        json.member("pid", process)
        json.member("ts", microseconds: time)
        json.member("name", name)
        json.object("args", values)
        json.raw("}")
    }

    // MARK: Instants

    /// Writes an instant of the process, not of a thread, because the event may occur on any
    /// thread.
    mutating func instant(
        _ name: String,
        _ event: TraceEntry.Event?,
        in pipeline: String,
        at time: Int64
    ) {
        let process = thread(Thread.mainLane, "main lane", of: pipeline)
        line("{\"ph\":\"i\",\"s\":\"p\"")
        place(process, Thread.mainLane, time)
        json.member("name", name)
        if let event {
            json.object("args") { json in
                if let submission = event.submission { json.member("set", "#\(submission)") }
                if let text = event.remark { json.member("what", text) }
            }
        }
        json.raw("}")
    }

    // MARK: Change sets

    /// Writes the id that all lines about one change set share. It is unique among all processes.
    private mutating func id(of life: ChangeSetHistory, _ process: Int) {
        json.raw(",\"cat\":\"change set\",\"id\":")
        let submission = UInt64(life.submission.magnitude)
        let number = UInt64(process) << 40 | submission & (1 << 40 - 1)
        json.string("0x" + String(number, radix: 16))
    }

    private mutating func async(
        _ phase: String,
        _ name: String,
        _ life: ChangeSetHistory,
        at time: Int64,
        _ arguments: ((inout JSONWriter) -> Void)? = nil
    ) {
        let process = thread(Thread.mainLane, "main lane", of: life.pipeline)
        line("{\"ph\":")
        json.string(phase)
        place(process, Thread.mainLane, time)
        id(of: life, process)
        json.member("name", name)
        if let arguments { json.object("args", arguments) }
        json.raw("}")
    }

    mutating func begin(_ life: ChangeSetHistory) {
        async("b", "change set", life, at: life.start) { $0.member("set", "#\(life.submission)") }
    }

    mutating func end(_ life: ChangeSetHistory, _ end: String, at time: Int64) {
        async("e", "change set", life, at: time) { $0.member("end", end) }
    }

    mutating func span(_ step: ChangeSetHistory.Stretch, of life: ChangeSetHistory) {
        spanStart(step, of: life)
        spanEnd(step, of: life)
    }

    mutating func spanStart(_ step: ChangeSetHistory.Stretch, of life: ChangeSetHistory) {
        async("b", step.step.rawValue, life, at: step.start)
    }

    mutating func spanEnd(_ step: ChangeSetHistory.Stretch, of life: ChangeSetHistory) {
        async("e", step.step.rawValue, life, at: step.end)
    }

    /// Writes a step on the thread that ran it.
    mutating func slice(_ step: ChangeSetHistory.Stretch, of life: ChangeSetHistory, on thread: Int)
    {
        let process = self.thread(thread, Self.name(ofThread: thread), of: life.pipeline)
        line("{\"ph\":\"X\"")
        place(process, thread, step.start)
        json.member("dur", microseconds: step.end - step.start)
        json.member("name", step.step.rawValue)
        json.object("args") { json in
            json.member("set", "#\(life.submission)")
            if step.step == .latching, let edits = life.editCount { json.member("edits", edits) }
            if let elements = life.elementCount { json.member("elements", elements) }
        }
        json.raw("}")
    }

    /// Writes a point of an arrow, in the middle of a step.
    mutating func flow(
        _ phase: String,
        _ step: ChangeSetHistory.Stretch,
        of life: ChangeSetHistory,
        on thread: Int
    ) {
        let process = self.thread(thread, Self.name(ofThread: thread), of: life.pipeline)
        line("{\"ph\":")
        json.string(phase)
        place(process, thread, step.start + (step.end - step.start) / 2)
        id(of: life, process)
        // Binds the point to the slice that encloses it, not to the next slice.
        json.raw(",\"bp\":\"e\",\"name\":\"change set\"}")
    }
}

/// Appends JSON to bytes. It supports only what a trace needs.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// The number of bytes written, including those already taken.
    private(set) var count = 0

    /// Returns the bytes written since the last call, and removes them.
    mutating func take() -> [UInt8] { exchange(&bytes, with: []) }

    /// Appends text that is already JSON.
    mutating func raw(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
        count += text.utf8CodeUnitCount
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        count += 1
    }

    /// Appends a string in quotes, with escapes.
    mutating func string(_ text: String) {
        raw("\"")
        for byte in text.utf8 {
            switch byte {
            case 0x22: raw("\\\"")
            case 0x5C: raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x09: raw("\\t")
            case 0..<0x20, 0x7F:
                raw("\\u00")
                append(Self.hexadecimal(byte >> 4))
                append(Self.hexadecimal(byte & 15))
            default: append(byte)
            }
        }
        raw("\"")
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x61 + digit - 10
    }

    /// Appends a whole number.
    mutating func number(_ number: Int) {
        // Avoids a string for each of millions of numbers.
        var (rest, length) = (number.magnitude, 0)
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        if number < 0 { raw("-") }
        withUnsafeMutableBytes(of: &digits) { digits in
            repeat {
                length += 1
                digits[length - 1] = 0x30 + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            while length > 0 {
                length -= 1
                bytes.append(digits[length])
                count += 1
            }
        }
    }

    /// Appends a non-negative number of nanoseconds as microseconds with three decimals.
    mutating func microseconds(_ nanoseconds: Int64) {
        number(Int(nanoseconds / 1_000))
        let fraction = nanoseconds % 1_000
        raw(".")
        for divisor: Int64 in [100, 10, 1] { append(0x30 + UInt8(fraction / divisor % 10)) }
    }

    // MARK: Members

    /// Appends the name of a member, after a comma unless it is the first of its object.
    private mutating func name(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { raw(",") }
        string(name)
        raw(":")
    }

    mutating func member(_ name: String, _ text: String) {
        self.name(name)
        string(text)
    }

    mutating func member(_ name: String, _ number: Int) {
        self.name(name)
        self.number(number)
    }

    mutating func member(_ name: String, microseconds nanoseconds: Int64) {
        self.name(name)
        microseconds(nanoseconds)
    }

    mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        raw("{")
        members(&self)
        raw("}")
    }
}
