import CollectionElements

@testable import CollectionLayouts

/// Draws everything of one random run; a run is its seed.
final class Draw {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

    func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &numbers) < probability
    }

    func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    func subset<Value>(of values: [Value], _ probability: Double) -> [Value] {
        values.filter { _ in chance(probability) }
    }

    func shuffled<Value>(_ values: [Value]) -> [Value] { values.shuffled(using: &numbers) }

    /// Quarters, so that sums are exact in whatever order they are added.
    func quarters(_ limit: Int) -> Double { Double(below(limit * 4)) / 4 }

    func size(_ width: Int = 120, _ height: Int = 60) -> Size {
        Size(width: quarters(width), height: quarters(height))
    }

    func insets(_ limit: Int) -> EdgeInsets {
        EdgeInsets(
            top: quarters(limit),
            left: quarters(limit),
            bottom: quarters(limit),
            right: quarters(limit)
        )
    }

    func option() -> AnimationOption {
        let known: [AnimationOption] = [
            .automatic, .none, .fade, .leading, .trailing, .top, .bottom,
        ]
        return chance(0.1) ? AnimationOption(rawValue: 42) : one(of: known)
    }
}

extension SupplementaryKind {
    static let background = SupplementaryKind(rawValue: "background")
    /// One that no layout places.
    static let badge = SupplementaryKind(rawValue: "badge")
}

extension LayoutPlace {
    static func background(_ section: Int, _ number: Int = 0) -> LayoutPlace {
        LayoutPlace(.decoration(.background), ItemPath(section: section, item: number))
    }
}

/// As good as endless, and still exact to the quarter.
let everywhere = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
