extension Duration {
    /// The duration in three digits at most and the unit that suits them, such as `5.7 µs`, `312 ms` or `2 s`.
    package var shortText: String {
        let units: [(name: String, attoseconds: Int128)] = [
            ("s", 1_000_000_000_000_000_000), ("ms", 1_000_000_000_000_000),
            ("µs", 1_000_000_000_000),
        ]
        let length = attoseconds.magnitude
        let sign = attoseconds < 0 ? "-" : ""
        // What is rounded up to a whole of the next unit is given in that.
        let (name, unit) =
            units.first { length >= $0.attoseconds.magnitude / 10_000 * 9_995 }
            .map { ($0.name, $0.attoseconds.magnitude) } ?? ("ns", 1_000_000_000)
        let decimals = length < unit * 10 ? 2 : length < unit * 100 ? 1 : 0
        let scale: UInt128 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let rounded = (length * scale + unit / 2) / unit
        var text = "\(rounded / scale)"
        var fraction = String(String(rounded % scale + scale).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += ".\(fraction)" }
        return "\(sign)\(text) \(name)"
    }
}
