import Foundation

/// A process and all that it has started, as `/proc` has them.
struct ProcessTree {
    let root: Int32

    /// How long they have kept processors busy, in hundredths of a second; those that have ended do not count.
    func ticks() -> Int {
        var parents: [Int32: Int32] = [:]
        var ticks: [Int32: Int] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let number = Int32(name),
                let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                // The name of the program stands in parentheses, and may hold anything.
                let end = line.lastIndex(of: ")")
            else { continue }
            let fields = line[end...].split(separator: " ")
            guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
                continue
            }
            parents[number] = Int32(fields[2])
            ticks[number] = user + system
        }
        return ticks.reduce(0) { sum, entry in
            sum + (isBelow(entry.key, parents) ? entry.value : 0)
        }
    }

    private func isBelow(_ number: Int32, _ parents: [Int32: Int32]) -> Bool {
        var number = number
        while number != root {
            guard let parent = parents[number], parent > 1 else { return false }
            number = parent
        }
        return true
    }
}
