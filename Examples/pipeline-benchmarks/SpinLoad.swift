/// A piece of work that keeps a processor busy for a given time, without touching memory.
///
/// It counts steps and reads no clock: a thread that has to wait for its processor is no faster for it.
struct SpinLoad: Sendable {
    private let steps: Int

    /// What measuring a node takes where it takes time.
    static var ofNode: SpinLoad { SpinLoad(nanoseconds: 20_000) }

    /// Finds out how many steps this processor takes in the time.
    init(nanoseconds: Double) {
        let trial = 200_000
        let times = (0..<15).map { _ in Stopwatch.threadNanoseconds { Self.spin(trial) } }
        steps = max(1, Int(nanoseconds / (Samples(times).median / Double(trial))))
    }

    init(steps: Int) { self.steps = steps }

    func run() { Self.spin(steps) }

    private static func spin(_ steps: Int) {
        var value = UInt(truncatingIfNeeded: steps)
        // Each step needs the one before, so no compiler and no processor takes them side by side.
        for _ in 0..<steps {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        }
        BlackHole.consume(value)
    }
}
