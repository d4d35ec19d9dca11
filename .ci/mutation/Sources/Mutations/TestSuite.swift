import Foundation

/// What can find a mutation: a suite of tests, or the simulator.
struct TestSuite: Sendable, Codable {
    /// `Module.Suite`, or the name of the program.
    let name: String
    /// How long it takes by itself, with the start of its process.
    var seconds = 0.0
    /// The numbers of the mutations that it comes across.
    var reached: Set<Int> = []

    /// So many seeds find what a simulator finds soon, and take about a second.
    static let simulator = TestSuite(name: "pipeline-simulate")
    static let simulatorArguments = ["--seeds", "4000"]

    var isProgram: Bool { !name.contains(".") }
    var module: String { String(name.prefix { $0 != "." }) }
}

extension Workshop {
    /// Every suite of the tests that were built, and the simulator.
    func suites() throws -> [TestSuite] {
        var names: [String] = []
        let list = Command(
            program: testBinary,
            arguments: ["--testing-library", "swift-testing", "--list-tests"],
            folder: tree.path
        )
        let ending = try list.run { line in
            let name = String(line.prefix { $0 != "/" })
            if line.contains("/"), names.last != name { names.append(name) }
            return false
        }
        guard ending == .exited(0) else {
            throw MutationError("the tests cannot be listed: \(ending)")
        }
        let simulator = products.appendingPathComponent(TestSuite.simulator.name).path
        let hasSimulator =
            buildsPrograms && FileManager.default.isExecutableFile(atPath: simulator)
        return Set(names).sorted().map { TestSuite(name: $0) } + (hasSimulator ? [.simulator] : [])
    }

    /// The commands that run these suites: one for all suites of tests, one for each program.
    func commands(_ suites: [TestSuite]) -> [Command] {
        let filters = suites.filter { !$0.isProgram }.flatMap {
            ["--filter", "^\($0.name.replacing(".", with: "\\."))/"]
        }
        var commands: [Command] = []
        if !filters.isEmpty {
            commands.append(
                Command(
                    program: testBinary,
                    arguments: ["--testing-library", "swift-testing"] + filters,
                    folder: tree.path
                )
            )
        }
        for suite in suites where suite.isProgram {
            commands.append(
                Command(
                    program: products.appendingPathComponent(suite.name).path,
                    arguments: TestSuite.simulatorArguments,
                    folder: tree.path
                )
            )
        }
        return commands
    }

    /// What the suites of this build reach; measured once for each build.
    func measuredSuites(jobs: Int) throws -> [TestSuite] {
        struct Measured: Codable {
            let build: String
            let suites: [TestSuite]
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: testBinary)
        let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let build = "\(time) \(numbered.count)"
        let file = folder.appendingPathComponent("suites.json")
        if let data = try? Data(contentsOf: file),
            let measured = try? JSONDecoder().decode(Measured.self, from: data),
            measured.build == build
        {
            return measured.suites
        }
        let all = try suites()
        report("\(all.count) suites to measure")
        let measured = try measure(all, jobs: jobs)
        try JSONEncoder().encode(Measured(build: build, suites: measured)).write(to: file)
        return measured
    }

    /// Runs suites without any mutation, and notes what they reach. One that fails twice is an error: nothing it
    /// could tell would mean anything, and it is broken where the rest is optimised.
    func measure(_ suites: [TestSuite], jobs: Int) throws -> [TestSuite] {
        let measured = Guarded<[TestSuite]>([])
        let failed = Guarded<[String]>([])
        try inParallel(suites, jobs: jobs) { suite in
            let path = self.folder.appendingPathComponent("reached-\(suite.name)").path
            guard FileManager.default.createFile(atPath: path, contents: Data(count: 65_536)) else {
                throw MutationError("\(path) cannot be written")
            }
            defer { try? FileManager.default.removeItem(atPath: path) }
            let start = Date()
            for var command in self.commands([suite]) {
                command.environment["MUTATIONS_REACHED"] = path
                command.seconds = 600
                let passes = try command.run() == .exited(0)
                guard try passes || command.run() == .exited(0) else {
                    failed.withLock { $0.append(suite.name) }
                    return
                }
            }
            var suite = suite
            suite.seconds = Date().timeIntervalSince(start)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            suite.reached = Set(bytes.indices.filter { bytes[$0] == 1 })
            measured.withLock { $0.append(suite) }
        }
        let names = failed.withLock { $0.sorted() }
        guard names.isEmpty else {
            throw MutationError(
                "without any mutation these suites fail: \(names.joined(separator: ", "))"
            )
        }
        return measured.withLock { $0 }
    }
}

/// Does the same for each of several things, some at a time, in order of their beginning.
func inParallel<Element: Sendable>(
    _ elements: [Element],
    jobs: Int,
    progress: (Int) -> Void = { _ in },
    until isOver: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (Element) throws -> Void
) throws {
    let state = Guarded((next: 0, done: 0, fault: (any Error)?.none))
    let ended = DispatchSemaphore(value: 0)
    for _ in 0..<jobs {
        // A thread, since it waits for processes most of the time.
        Thread.detachNewThread {
            while !isOver() {
                let index = state.withLock { state in
                    defer { state.next += 1 }
                    return state.fault == nil ? state.next : elements.count
                }
                guard index < elements.count else { break }
                do { try body(elements[index]) } catch { state.withLock { $0.fault = error } }
                state.withLock { $0.done += 1 }
            }
            ended.signal()
        }
    }
    var running = jobs
    while running > 0 {
        if ended.wait(timeout: .now() + 1) == .success { running -= 1 }
        progress(state.withLock { $0.done })
    }
    if let fault = state.withLock({ $0.fault }) { throw fault }
}
