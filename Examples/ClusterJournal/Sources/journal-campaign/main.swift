import BrokerProcesses
import CollectionReplication
import Foundation

let help = """
    usage: journal-campaign [--broker nats|redis] [--seconds N] [--seed N] [--visibility immediately]

    Does faults to five members of a replicated list and to their broker, one every one or two seconds, and compares what
    the members show and acknowledge. After every twenty faults all of them end, and every member must show the newest
    edits within half a minute. The broker and the members are processes that the program starts itself.

      --broker nats|redis         the broker; nats by default
      --seconds N                 for how long, at least 1; 60 by default
      --seed N                    chooses the faults and their victims, but not the moments at which members act
      --visibility immediately    lets leaders acknowledge before the broker has an edit, so that the check must fail
      --help                      prints this

    Ends with 0 if everything held, with 1 if something did not, with 2 if the arguments are wrong, and with 77 if the
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
    default: fail("\(word) \(value ?? "") is not an option; try --help", code: 2)
    }
}
guard kind.installed != nil else { fail("skipped: \(kind.program) is not installed", code: 77) }
do {
    let campaign = try Campaign(kind, seed: seed, visibility: visibility)
    exit(try campaign.run(seconds: duration) ? 0 : 1)
} catch {
    fail("\(error)", code: 1)
}
