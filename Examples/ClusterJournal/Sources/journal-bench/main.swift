import BrokerProcesses
import Foundation

let help = """
    usage: journal-bench [--broker nats|redis] [--records N] [--bytes N,N,…]
           journal-bench cluster [--broker nats|redis] [--records N] [--rows N] [--behind N]

    Measures what a broker on this machine does by itself, over its client library, and over the adapter, in one run: how
    long one append takes, and how many are done in a second with 1,024 under way, without readers and with three; the
    best of three runs of each in turn. The broker is started for it, with its store in a temporary folder.

    With `cluster` it measures members: a leader's change sets of ten edits until three followers show them, and one of
    them until one follower does, over what the broker does by itself with messages of that size; and how long a late
    follower takes to be current. Each member is a hub of its own over a connection of its own, all in this process.

      --broker nats|redis   which broker; both where it is left out
      --records N           records a measurement; 20000 where it is left out
      --bytes N,N,…         sizes of records; 64,256,512,1024 where it is left out
      --rows N              rows of the list that a late follower joins, at least 100; 1000000 where it is left out
      --behind N            change sets that it is behind; 100000 where it is left out
      --help                prints this

    Ends with 0, with 1 where a measurement fails, and with 2 where it is not called as above.
    """

func reject(_ text: String) -> Never {
    FileHandle.standardError.write(Data("journal-bench: \(text)\n".utf8))
    exit(2)
}

var kinds = BrokerKind.allCases
var count = 20_000
var sizes = [64, 256, 512, 1_024]
var rows = 1_000_000
var behind = 100_000
var words = CommandLine.arguments.dropFirst()
let isCluster = words.first == "cluster"
if isCluster { words.removeFirst() }
while let word = words.popFirst() {
    func value() -> String {
        guard let value = words.popFirst() else { reject("\(word) needs a value") }
        return value
    }
    switch word {
    case "--help", "-h":
        print(help)
        exit(0)
    case "--broker":
        let name = value()
        guard let kind = BrokerKind(rawValue: name) else {
            reject("--broker is nats or redis, not \(name)")
        }
        kinds = [kind]
    case "--records":
        let text = value()
        guard let number = Int(text), (100...10_000_000).contains(number) else {
            reject("--records is a number from 100 to 10000000, not \(text)")
        }
        count = number
    case "--rows" where isCluster, "--behind" where isCluster:
        let text = value()
        guard let number = Int(text), (100...10_000_000).contains(number) else {
            reject("\(word) is a number from 100 to 10000000, not \(text)")
        }
        if word == "--rows" { rows = number } else { behind = number }
    case "--bytes" where !isCluster:
        let text = value()
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }.filter { (0...900_000).contains($0) }
        guard numbers.count == parts.count else {
            reject("--bytes is numbers up to 900000 with commas between, not \(text)")
        }
        sizes = numbers
    default: reject("what is \(word)? --help tells what there is")
    }
}

do {
    for kind in kinds {
        if isCluster {
            let bench = try ClusterBench(kind, count: count, rows: rows, behind: behind)
            try bench.run()
            continue
        }
        var bench = try Bench(kind, count: count, sizes: sizes)
        try bench.run()
    }
} catch {
    FileHandle.standardError.write(Data("journal-bench: \(error)\n".utf8))
    exit(1)
}
