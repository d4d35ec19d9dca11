import Foundation
import PipelineTesting

@testable import changeset_lint

extension TextMaker {
    /// A plan that a seed draws, but for a few values that are other ones, left out or there twice.
    mutating func plan() {
        var value = pick(Self.plans)
        some(atMost: 4) { $0.change(&value) }
        write(value.text)
    }

    /// As JSON, whatever that looks like; small, and every other one without what keeps it from being run.
    private static let plans: [JSONValue] = (0..<256 as Range<UInt64>).map { seed in
        var plan = RunPlan(seed: seed)
        if seed & 1 == 0 { plan = plan.withoutPauses }
        plan.clients = plan.clients.suffix(3).map { Array($0.prefix(2)) }
        guard let text = try? JSONEncoder().encode(plan),
            let value = try? JSONParser.parse(Array(text))
        else { fatalError("\(plan) cannot be written") }
        return value
    }

    private mutating func change(_ value: inout JSONValue) {
        let step = next()
        switch value {
        case .array(var elements) where step >= 32 && !elements.isEmpty:
            let index = Int(step) % elements.count
            switch next() {
            case 248...: elements.remove(at: index)
            case 240...: elements.append(elements[index])
            default: change(&elements[index])
            }
            value = .array(elements)
        case .object(var members) where step >= 32 && !members.isEmpty:
            let index = Int(step) % members.count
            switch next() {
            case 252...: members.remove(at: index)
            case 248...: members.append(members[index])
            default: change(&members[index].value)
            }
            value = .object(members)
        case .bool(let bool) where step >= 32: value = .bool(!bool)
        case .integer where step >= 32: value = .integer(integer())
        // A number is written as it is, so that anything can stand there.
        default: value = .number(String(decoding: cut { $0.anything() }, as: UTF8.self))
        }
    }
}
