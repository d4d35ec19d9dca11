/// A recorded result beside an answer: what differs for a reason, and what for none.
struct ResultComparison {
    private(set) var differences: Set<NamedDifference> = []
    /// Each says where the two part, and how.
    private(set) var faults: [String] = []

    var agrees: Bool { differences.isEmpty && faults.isEmpty }

    /// Nothing but a difference, or a fault.
    init(differences: Set<NamedDifference> = [], faults: [String] = []) {
        self.differences = differences
        self.faults = faults
    }

    /// Compares every field that was recorded; `original` has what may be found there instead.
    init(recorded: JSONValue, answer: JSONValue, original: OriginalFields? = nil) {
        guard case .object(let members) = recorded else { return }
        // With another verdict, all else differs too.
        let keys = recorded["valid"] == answer["valid"] ? members.map(\.key) : ["valid"]
        // The quirks are remarks on the original; no answer has them.
        for key in keys where key != "quirks" {
            guard let value = recorded[key], value != answer[key] else { continue }
            if let field = original?.fields[key], field.value == value {
                differences.insert(field.difference)
            } else {
                faults.append(
                    JSONDifference(expected: value, found: answer[key], at: key).description
                )
            }
        }
    }
}
