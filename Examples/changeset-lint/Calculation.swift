/// What is calculated and printed as scenarios, instead of running scenarios through a pipeline.
enum Calculation: String {
    /// The difference of two files of lines.
    case diff
    /// What takes each scenario back.
    case invert
    /// All scenarios as one.
    case compose
    /// The second scenario after the first.
    case rebase

    var option: String { "--\(rawValue)" }

    init?(option: String) {
        guard option.hasPrefix("--") else { return nil }
        self.init(rawValue: String(option.dropFirst(2)))
    }
}
