import Foundation
import PipelineTesting

let from = UInt64(CommandLine.arguments.dropFirst().first ?? "0") ?? 0
let count = UInt64(CommandLine.arguments.dropFirst(2).first ?? "1000") ?? 1000
var steps = 0
var failures = 0
let start = Date()
var marks: [String: Int] = [:]
for seed in from..<(from + count) {
    let result = SimulatedRun.run(RunPlan(seed: seed))
    steps += result.steps
    for (name, count) in result.marks { marks[name, default: 0] += count }
    if !result.violations.isEmpty {
        failures += 1
        if failures <= 12 {
            print("seed \(seed) \(result.plan.strategy) actions \(result.plan.actionCount)")
            for violation in result.violations.prefix(3) { print("   ", violation) }
        }
    }
}
let seconds = Date().timeIntervalSince(start)
print(
    "\(count) seeds, \(steps) steps, \(failures) failures, \(Int(Double(steps) / seconds)) steps/s, \(seconds) s"
)
for (name, count) in marks.sorted(by: { $0.key < $1.key }) { print("  \(name) \(count)") }
