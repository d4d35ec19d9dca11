import Foundation
import Testing

@testable import PipelineTesting
@testable import pipeline_simulate

/// A command whose runs and processes are made up.
final class Stage {
    var output: [String] = []
    var errors: [String] = []
    var progress: [String] = []
    var launches: [[String]] = []
    var pins = 0
    let folder: URL

    var hasMutants = false
    var simulate: (RunPlan, Bool) -> RunResult = { plan, _ in .made(plan) }
    var launch: ([String]) throws -> (Supervision.End, [Substring]) = { _ in (.exit(0), []) }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("stage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func run(_ arguments: String...) throws -> Int32 {
        let supervision = Supervision(executable: "me") { _, arguments, _ in
            self.launches.append(arguments)
            return try self.launch(arguments)
        }
        let surroundings = PipelineSimulate.Surroundings(
            arguments: arguments,
            supervision: supervision,
            folder: folder.path + "/",
            hasMutants: hasMutants,
            simulate: simulate,
            stayOnThisProcessor: { self.pins += 1 },
            print: { self.output += $0.split(separator: "\n").map(String.init) },
            progress: { self.progress.append($0) },
            complain: { self.errors.append($0) }
        )
        let options = try SimulateOptions(arguments)
        return PipelineSimulate(options: options, surroundings: surroundings).run()
    }

    func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// An error with a sentence.
struct Broken: LocalizedError {
    var errorDescription: String? { "nothing works" }
}

/// Breaks a guarantee as long as something is reloaded.
func breaking(_ plan: RunPlan) -> RunResult {
    let isBroken = plan.clients.joined().contains(.reload)
    return .made(plan, broken: isBroken ? [.numbered(1), .numbered(2)] : [], steps: 30)
}

func failingSeed() throws -> UInt64 {
    try #require((0...1_000).first { !breaking(RunPlan(seed: $0)).violations.isEmpty })
}
