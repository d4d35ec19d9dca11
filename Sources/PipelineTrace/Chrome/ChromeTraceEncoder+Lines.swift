import CollectionPipeline

// One function for each sort of line.

extension ChromeTraceEncoder {
    /// The numbers of threads, which also order them: those of a pipeline first, then the workers, then other lanes.
    enum Thread {
        static let mainLane = 101
        static let editingLane = 102
        static func worker(_ number: Int) -> Int { 110 + max(1, min(number, 9_000)) }
        static func lane(_ number: Int) -> Int { 10_000 + number }
    }

    /// What is known of a pipeline; one that is new gets the next number.
    mutating func process(_ name: String) -> Process {
        if let process = processes[name] { return process }
        let process = Process(number: processes.count + 1)
        processes[name] = process
        writeName(name, of: process)
        return process
    }

    private mutating func writeName(_ name: String, of process: Process) {
        line("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":")
        json.number(process.number)
        json.raw(",\"args\":{\"name\":")
        json.string(name)
        json.raw("}}")
        line("{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":")
        json.number(process.number)
        json.raw(",\"args\":{\"sort_index\":")
        json.number(process.number)
        json.raw("}}")
    }

    /// Names a thread before its first line.
    mutating func thread(_ number: Int, _ name: @autoclosure () -> String, of pipeline: String)
        -> Int
    {
        let process = process(pipeline)
        guard !process.threads.contains(number) else { return process.number }
        processes[pipeline]?.threads.insert(number)
        for isName in [true, false] {
            line("{\"ph\":\"M\",\"name\":")
            json.string(isName ? "thread_name" : "thread_sort_index")
            json.raw(",\"pid\":")
            json.number(process.number)
            json.raw(",\"tid\":")
            json.number(number)
            json.raw(",\"args\":{")
            if isName {
                json.raw("\"name\":")
                json.string(name())
            } else {
                json.raw("\"sort_index\":")
                json.number(number)
            }
            json.raw("}}")
        }
        return process.number
    }

    private static func name(ofThread number: Int) -> String {
        number == Thread.mainLane ? "main lane" : "editing lane"
    }

    /// `"pid":…,"tid":…,"ts":…`
    private mutating func place(_ process: Int, _ thread: Int, _ time: Int64) {
        json.raw("\"pid\":")
        json.number(process)
        json.raw(",\"tid\":")
        json.number(thread)
        json.raw(",\"ts\":")
        json.microseconds(time)
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
        line("{\"ph\":\"X\",")
        self.place(process, number, start)
        json.raw(",\"dur\":")
        json.microseconds(max(0, work.end.wholeNanoseconds - start))
        json.raw(",\"name\":")
        json.string(work.name)
        if let part = work.part {
            json.raw(",\"args\":{\"part\":")
            json.number(part.index)
            json.raw(",\"of\":")
            json.number(part.count)
            json.raw(",\"for\":")
            json.string(part.lane)
            json.raw("}")
        }
        json.raw("}")
    }

    mutating func add(_ count: TraceEntry.Count, at time: Int64) {
        guard !count.values.isEmpty else { return }
        counterStart(count.name, count.pipeline, time)
        for (index, value) in count.values.enumerated() {
            if index > 0 { json.raw(",") }
            json.string(value.name)
            json.raw(":")
            json.number(value.number)
        }
        json.raw("}}")
    }

    mutating func counter(
        _ name: String,
        _ unit: String,
        _ number: Int,
        _ pipeline: String,
        _ time: Int64
    ) {
        counterStart(name, pipeline, time)
        json.string(unit)
        json.raw(":")
        json.number(number)
        json.raw("}}")
    }

    private mutating func counterStart(_ name: String, _ pipeline: String, _ time: Int64) {
        let process = process(pipeline).number
        line("{\"ph\":\"C\",\"pid\":")
        json.number(process)
        json.raw(",\"ts\":")
        json.microseconds(time)
        json.raw(",\"name\":")
        json.string(name)
        json.raw(",\"args\":{")
    }

    // MARK: Instants

    mutating func instant(_ event: TraceEntry.Event, at time: Int64) {
        instant(event.kind.rawValue, event, in: event.pipeline, at: time)
    }

    /// An instant of the whole process: what tells of it may run anywhere.
    mutating func instant(
        _ name: String,
        _ event: TraceEntry.Event?,
        in pipeline: String,
        at time: Int64
    ) {
        let process = thread(Thread.mainLane, "main lane", of: pipeline)
        line("{\"ph\":\"i\",\"s\":\"p\",")
        place(process, Thread.mainLane, time)
        json.raw(",\"name\":")
        json.string(name)
        if let event {
            json.raw(",\"args\":{")
            if let submission = event.submission {
                json.raw("\"set\":")
                json.string("#\(submission)")
            }
            if let text = event.remark {
                json.raw(event.submission == nil ? "\"what\":" : ",\"what\":")
                json.string(text)
            }
            json.raw("}")
        }
        json.raw("}")
    }

    // MARK: Change sets

    /// Lines about one change set have one id, in all processes.
    private mutating func id(of life: ChangeSetLife, _ process: Int) {
        json.raw(",\"cat\":\"change set\",\"id\":")
        let submission = UInt64(life.submission.magnitude)
        json.identifier(UInt64(process) << 40 | submission & (1 << 40 - 1))
    }

    private mutating func async(
        _ phase: StaticString,
        _ name: String,
        _ life: ChangeSetLife,
        at time: Int64
    ) {
        let process = thread(Thread.mainLane, "main lane", of: life.pipeline)
        line("{\"ph\":\"")
        json.raw(phase)
        json.raw("\",")
        place(process, Thread.mainLane, time)
        id(of: life, process)
        json.raw(",\"name\":")
        json.string(name)
    }

    mutating func begin(_ life: ChangeSetLife) {
        async("b", "change set", life, at: life.start)
        json.raw(",\"args\":{\"set\":")
        json.string("#\(life.submission)")
        json.raw("}}")
    }

    mutating func end(_ life: ChangeSetLife, _ end: String, at time: Int64) {
        async("e", "change set", life, at: time)
        json.raw(",\"args\":{\"end\":")
        json.string(end)
        json.raw("}}")
    }

    mutating func span(_ step: ChangeSetLife.Stretch, of life: ChangeSetLife) {
        spanStart(step, of: life)
        spanEnd(step, of: life)
    }

    mutating func spanStart(_ step: ChangeSetLife.Stretch, of life: ChangeSetLife) {
        async("b", step.step.rawValue, life, at: step.start)
        json.raw("}")
    }

    mutating func spanEnd(_ step: ChangeSetLife.Stretch, of life: ChangeSetLife) {
        async("e", step.step.rawValue, life, at: step.end)
        json.raw("}")
    }

    /// A step where it was done.
    mutating func slice(_ step: ChangeSetLife.Stretch, of life: ChangeSetLife, on thread: Int) {
        let process = self.thread(thread, Self.name(ofThread: thread), of: life.pipeline)
        line("{\"ph\":\"X\",")
        place(process, thread, step.start)
        json.raw(",\"dur\":")
        json.microseconds(step.end - step.start)
        json.raw(",\"name\":")
        json.string(step.step.rawValue)
        json.raw(",\"args\":{\"set\":")
        json.string("#\(life.submission)")
        if step.step == .latching, let edits = life.editCount {
            json.raw(",\"edits\":")
            json.number(edits)
        }
        if let elements = life.elementCount {
            json.raw(",\"elements\":")
            json.number(elements)
        }
        json.raw("}}")
    }

    /// A point of an arrow, in the middle of what it belongs to.
    mutating func flow(
        _ phase: StaticString,
        _ step: ChangeSetLife.Stretch,
        of life: ChangeSetLife,
        on thread: Int
    ) {
        let process = self.thread(thread, Self.name(ofThread: thread), of: life.pipeline)
        line("{\"ph\":\"")
        json.raw(phase)
        json.raw("\",")
        place(process, thread, step.start + (step.end - step.start) / 2)
        id(of: life, process)
        // To what it is inside of, not to what begins next.
        json.raw(",\"bp\":\"e\",\"name\":\"change set\"}")
    }
}
