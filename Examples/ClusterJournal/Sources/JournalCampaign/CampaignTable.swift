import Foundation

/// What a campaign has done and found, as text.
struct CampaignTable {
    var counts: [FaultKind: Int]
    var ledger: CampaignLedger
    var seconds: Double
    var rounds: Int
    var longestWithoutLeader: UInt64
    var longestSettling: UInt64
    var peakMemory: Int

    var text: String {
        let faults = counts.values.reduce(0, +)
        var lines = [row("faults", "\(faults)")]
        for kind in FaultKind.allCases {
            if let count = counts[kind] { lines.append(row("  \(kind.rawValue)", "\(count)")) }
        }
        lines += [
            row("faults an hour", String(format: "%.0f", Double(faults) / seconds * 3600)),
            row("quiet ends at which all was well", "\(rounds)"),
            row("edits acknowledged", "\(ledger.acknowledgedEdits)"),
            row("states compared", "\(ledger.shownStates)"),
            row("leaderships", "\(ledger.leaderships)"),
            row("events of members", ""),
        ]
        for (kind, count) in ledger.events.sorted(by: { $0.key < $1.key }) {
            lines.append(row("  \(kind)", "\(count)"))
        }
        lines += [
            row("longest time without a leader", Self.seconds(longestWithoutLeader)),
            row("longest time until all was well", Self.seconds(longestSettling)),
            row("most memory of a member", "\(peakMemory >> 20) MiB"),
        ]
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(1, 44 - name.count)) + value
    }

    private static func seconds(_ time: UInt64) -> String {
        String(format: "%.2f s", Double(time) / 1e9)
    }
}
