import Foundation
import Glibc

/// One line that changes on a terminal; elsewhere a line for each round.
struct CampaignProgress {
    let seconds: Double
    private let isTerminal = isatty(1) == 1

    init(seconds: Double) { self.seconds = seconds }

    func show(_ text: String) {
        guard isTerminal else { return }
        print("\r\u{1B}[K\(text) of \(Int(seconds)) s", terminator: "")
        fflush(nil)
    }

    /// A round has ended.
    func tell(_ text: String) {
        guard !isTerminal else { return show(text) }
        print(text)
        fflush(nil)
    }

    func clear() { if isTerminal { print("\r\u{1B}[K", terminator: "") } }
}
