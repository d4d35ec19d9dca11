import BrokerProcesses

/// What a campaign is asked to do.
package struct CampaignOptions {
    package var kind = BrokerKind.nats
    package var seconds = 60.0
    package var seed: UInt64 = .random(in: 0...999_999)
    package var members = 5
    /// Between two edits, in milliseconds.
    package var editPause = 10
    package var keepsFolder = false

    package static let help = """
        usage: journal-campaign [--broker nats|redis] [--seconds N] [--seed N] [--members N]

        Does faults to members of a replicated list and to their broker, one every one or two seconds and several at once,
        and compares all the time what they show. After every twenty faults all end; then all members must come to one
        state, which has every edit that was acknowledged. The broker and the members are processes of its own, and
        connect by relays; no privileges are needed, but for filling a disk, which is left out without.

          --broker nats|redis   which broker; nats where it is left out
          --seconds N           for how long, at least 1; 60 where it is left out
          --seed N              which faults to whom; the moments at which members do something are not chosen by it
          --members N           2 to 16; 5 where it is left out
          --edit-pause N        milliseconds from one edit of a leader to the next, 1 to 900; 10 where it is left out
          --keep                keeps the folder with logs also where everything held
          --help                prints this

        Ends with 0 where everything held, with 1 where something did not, with 2 where it is not called as above, and with
        77 where the broker is not installed.
        """

    package init() {}

    /// - Throws: what is wrong with the words.
    package init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--keep" {
                keepsFolder = true
                continue
            }
            guard ["--broker", "--seconds", "--seed", "--members", "--edit-pause"].contains(word)
            else { throw CampaignFailure("what is \(word)? --help tells what there is") }
            guard let value = words.popFirst() else {
                throw CampaignFailure("\(word) needs a value")
            }
            try set(word, value)
        }
    }

    private mutating func set(_ word: String, _ value: String) throws {
        func number(_ range: ClosedRange<Int>) throws -> Int {
            guard let number = Int(value), range.contains(number) else {
                throw CampaignFailure(
                    "\(word) is a number from \(range.lowerBound) to \(range.upperBound), not"
                        + " \(value)"
                )
            }
            return number
        }
        switch word {
        case "--broker":
            guard let kind = BrokerKind(rawValue: value) else {
                throw CampaignFailure("--broker is nats or redis, not \(value)")
            }
            self.kind = kind
        case "--seconds": seconds = Double(try number(1...1_000_000))
        case "--members": members = try number(2...16)
        case "--edit-pause": editPause = try number(1...900)
        default:
            guard let seed = UInt64(value) else {
                throw CampaignFailure("--seed is a number from 0, not \(value)")
            }
            self.seed = seed
        }
    }
}
