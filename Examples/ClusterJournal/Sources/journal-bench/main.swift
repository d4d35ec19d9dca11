import BrokerProcesses
import Foundation

let help = """
    usage: journal-bench [--broker nats|redis] [--records N] [--bytes N,N,…]

    Measures what a broker on this machine does by itself, over its client library, and over the adapter, in one run: how
    long one append takes, and how many are done in a second with 1,024 under way, without readers and with three; the
    best of three runs of each in turn. The broker is started for it, with its store in a temporary folder.

      --broker nats|redis   which broker; both where it is left out
      --records N           records a measurement; 20000 where it is left out
      --bytes N,N,…         sizes of records; 64,256,512,1024 where it is left out
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
var words = CommandLine.arguments.dropFirst()
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
    case "--bytes":
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
        var bench = try Bench(kind, count: count, sizes: sizes)
        try bench.run()
    }
} catch {
    FileHandle.standardError.write(Data("journal-bench: \(error)\n".utf8))
    exit(1)
}
