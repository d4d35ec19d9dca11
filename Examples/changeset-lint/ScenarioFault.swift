/// Why a line is no scenario.
struct ScenarioFault: Error, Equatable {
    /// What is wrong with which field, in a sentence without a full stop.
    let message: String

    init(_ message: String) { self.message = message }
}
