/// A machine beside what its driver and its surroundings remember, told one input after the other.
package protocol MachineRun {
    associatedtype Input: CaseIterable & Sendable

    /// Gives the machine an input, and does what it answers; an input that cannot come now does nothing.
    ///
    /// - Returns: whether it could come.
    mutating func take(_ input: Input) -> Bool

    /// The first promise that does not hold.
    var fault: String? { get }
}

/// Goes through every sequence of at most `length` inputs, which are values: no lanes, no threads.
///
/// - Returns: the first sequence after which a promise does not hold, with the promise; and how many there were.
package func walk<Run: MachineRun>(_ run: Run, length: Int) -> (fault: String?, count: Int) {
    var count = 0
    func walk(_ run: Run, _ inputs: [Run.Input]) -> String? {
        if let fault = run.fault { return "\(inputs): \(fault)" }
        guard inputs.count < length else { return nil }
        for input in Run.Input.allCases {
            var run = run
            guard run.take(input) else { continue }
            count += 1
            if let fault = walk(run, inputs + [input]) { return fault }
        }
        return nil
    }
    let fault = walk(run, [])
    return (fault, count)
}
