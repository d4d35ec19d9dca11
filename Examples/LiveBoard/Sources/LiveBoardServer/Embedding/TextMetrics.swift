import CoreMetrics
import Synchronization

/// A backend of swift-metrics that gives its numbers as text, in the form that Prometheus reads; enough for one server.
///
/// Timers and recorders give a count and a sum. Labels are ours, so there are few, and none goes.
package final class TextMetrics: MetricsFactory {
    fileprivate enum Kind: String {
        case counter, gauge, summary
    }

    private struct Key: Hashable {
        let label: String
        let dimensions: [String]
    }

    private let numbers = Mutex<[Key: TextNumber]>([:])

    /// A backend without numbers.
    package init() {}

    /// The numbers now, by name.
    package var text: String {
        let numbers = numbers.withLock { $0 }
        let sorted = numbers.sorted {
            ($0.key.label, $0.key.dimensions.joined(separator: ","))
                < ($1.key.label, $1.key.dimensions.joined(separator: ","))
        }
        var (text, last) = ("", "")
        for (key, number) in sorted {
            if key.label != last { text += "# TYPE \(key.label) \(number.kind.rawValue)\n" }
            last = key.label
            let dimensions =
                key.dimensions.isEmpty ? "" : "{\(key.dimensions.joined(separator: ","))}"
            let (count, sum) = number.values
            if number.kind == .summary {
                text += "\(key.label)_count\(dimensions) \(count)\n"
                text += "\(key.label)_sum\(dimensions) \(sum)\n"
            } else {
                text += "\(key.label)\(dimensions) \(sum.asText)\n"
            }
        }
        return text
    }

    private func number(
        _ kind: Kind,
        _ label: String,
        _ dimensions: [(String, String)],
        scale: Double = 1
    ) -> TextNumber {
        let key = Key(
            label: label,
            dimensions: dimensions.map { "\($0)=\(JSONText.quoted($1))" }
        )
        return numbers.withLock { numbers in
            if let number = numbers[key] { return number }
            let number = TextNumber(kind, scale: scale)
            numbers[key] = number
            return number
        }
    }

    /// A counter, or the one of that name that there is; so are the others.
    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        number(.counter, label, dimensions)
    }

    /// A counter too.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        number(.counter, label, dimensions)
    }

    /// A gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(.gauge, label, dimensions)
    }

    /// A summary, or a gauge where nothing is to be aggregated.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        number(aggregate ? .summary : .gauge, label, dimensions)
    }

    /// A summary, in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        number(.summary, label, dimensions, scale: 1e-9)
    }

    /// Nothing goes.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Nothing goes.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Nothing goes.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Nothing goes.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Nothing goes.
    package func destroyTimer(_ handler: any TimerHandler) {}
}

/// One number, whatever it is a number of.
private final class TextNumber: CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler, TimerHandler
{
    let kind: TextMetrics.Kind
    private let scale: Double
    private let state = Mutex<(count: Int, sum: Double)>((0, 0))

    init(_ kind: TextMetrics.Kind, scale: Double) {
        self.kind = kind
        self.scale = scale
    }

    var values: (count: Int, sum: Double) { state.withLock { $0 } }

    private func add(_ value: Double) {
        state.withLock { $0 = ($0.count + 1, $0.sum + value * scale) }
    }

    func set(_ value: Double) { state.withLock { $0 = ($0.count + 1, value) } }
    func set(_ value: Int64) { set(Double(value)) }
    func increment(by value: Int64) { add(Double(value)) }
    func increment(by value: Double) { add(value) }
    func decrement(by value: Double) { add(-value) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { kind == .gauge ? set(value) : add(value) }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration)) }
    func reset() { state.withLock { $0 = (0, 0) } }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var asText: String {
        magnitude < 1e15 && self == rounded() ? "\(Int(self))" : "\(self)"
    }
}
