import Foundation
import Synchronization

/// A suite of tests, or the simulator. Both can find mutations.
struct TestSuite: Sendable {
    /// `Module.Suite`, or the name of the program.
    let name: String
    /// The duration of the suite alone, including the start of its process.
    var seconds = 0.0
    /// The numbers of the mutations that the suite reaches.
    var reached: Set<Int> = []

    static let simulator = TestSuite(name: "pipeline-simulate")
    /// This number of seeds takes about a second, and finds everything that the simulator finds
    /// soon.
    static let simulatorArguments = ["--seeds", "4000"]

    var isProgram: Bool { !name.contains(".") }
    var module: String { String(name.prefix { $0 != "." }) }
}

extension Workshop {
    /// Returns every suite of the built tests, and the simulator.
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
            throw MutationError("listing the tests failed: \(ending)")
        }
        let simulator = products.appendingPathComponent(TestSuite.simulator.name).path
        let hasSimulator =
            testTargets.isEmpty && FileManager.default.isExecutableFile(atPath: simulator)
        return Set(names).sorted().map { TestSuite(name: $0) } + (hasSimulator ? [.simulator] : [])
    }

    /// Returns the commands that run some suites: one for all suites of tests, and one for each
    /// program.
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

    /// Runs suites without any mutation, and records which mutations they reach. Leaves suites out
    /// that fail twice, for example because they expect a debug build: their later failures would
    /// prove nothing.
    func measure(_ suites: [TestSuite], jobs: Int) throws -> [TestSuite] {
        let measured = Mutex<[TestSuite]>([])
        let failed = Mutex<[String]>([])
        try inParallel(suites, jobs: jobs) { suite in
            let path = self.folder.appendingPathComponent("reached-\(suite.name)").path
            guard FileManager.default.createFile(atPath: path, contents: Data(count: 65_536)) else {
                throw MutationError("writing \(path) failed")
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
        if !names.isEmpty {
            report("left out, because they fail without any mutation: \(names)")
        }
        return measured.withLock { $0 }
    }
}

/// Calls a closure for each element, in order, with at most `jobs` calls at the same time.
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
