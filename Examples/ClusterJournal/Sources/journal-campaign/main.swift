import BrokerProcesses
import CollectionReplication
import Foundation

let help = """
    usage: journal-campaign [--broker nats|redis] [--seconds N] [--seed N] [--visibility immediately]

    Injects faults into a broker and five members of a replicated list, one every one or two
    seconds, and compares the states that members show and the edits that they acknowledge.
    After every twenty faults all faults end, and every member must show the newest edits within
    30 seconds. The program starts the broker and the members as child processes.

      --broker nats|redis         the broker; default nats
      --seconds N                 the duration, at least 1; default 60
      --seed N                    the seed for faults and their victims; it does not determine
                                  when members act
      --visibility immediately    lets leaders acknowledge edits before the broker has them, so
                                  that the check fails
      --help                      prints this text

    Exit codes: 0 if all guarantees held, 1 if one was violated, 2 for wrong arguments, 77 if the
    broker is not installed.
    """

func fail(_ text: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("journal-campaign: \(text)\n".utf8))
    exit(code)
}

var words = CommandLine.arguments.dropFirst()
if words.first == "member" {
    do {
        let member = try Member(arguments: Array(words.dropFirst()))
        withExtendedLifetime(member) { dispatchMain() }
    } catch {
        fail("a member cannot start: \(error)", code: 1)
    }
}

var kind = BrokerKind.nats
var duration = 60
var seed = UInt64.random(in: 0...999_999)
var visibility = "afterBroker"
while let word = words.popFirst() {
    if word == "--help" || word == "-h" {
        print(help)
        exit(0)
    }
    let value = words.popFirst()
    switch (word, value) {
    case ("--broker", let value?) where BrokerKind(rawValue: value) != nil:
        kind = BrokerKind(rawValue: value) ?? kind
    case ("--seconds", let value?) where (1...1_000_000).contains(Int(value) ?? 0):
        duration = Int(value) ?? duration
    case ("--seed", let value?) where UInt64(value) != nil: seed = UInt64(value) ?? seed
    case ("--visibility", "immediately"): visibility = "immediately"
    default: fail("unknown option: \(word) \(value ?? ""); try --help", code: 2)
    }
}
guard kind.executablePath != nil else {
    fail("skipped: \(kind.program) is not installed", code: 77)
}
do {
    let campaign = try Campaign(kind, seed: seed, visibility: visibility)
    exit(try campaign.run(seconds: duration) ? 0 : 1)
} catch {
    fail("\(error)", code: 1)
}
