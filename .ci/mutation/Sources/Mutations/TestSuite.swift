import Foundation
import Synchronization

/// What can find a mutation: a suite of tests, or the simulator.
struct TestSuite: Sendable {
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

    /// Runs suites without any mutation, and notes what they reach. One that fails twice is an error: nothing it
    /// could tell would mean anything, and it is broken where the rest is optimised.
    func measure(_ suites: [TestSuite], jobs: Int) throws -> [TestSuite] {
        let measured = Mutex<[TestSuite]>([])
        let failed = Mutex<[String]>([])
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

/// Does the same for each of several things, `jobs` at a time, in their order.
package func inParallel<Element: Sendable>(
    _ elements: [Element],
    jobs: Int,
    _ body: @escaping @Sendable (Element) throws -> Void
) throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = jobs
    let fault = Mutex<(any Error)?>(nil)
    for element in elements {
        queue.addOperation {
            guard fault.withLock({ $0 == nil }) else { return }
            do { try body(element) } catch { fault.withLock { $0 = error } }
        }
    }
    queue.waitUntilAllOperationsAreFinished()
    if let fault = fault.withLock({ $0 }) { throw fault }
}
