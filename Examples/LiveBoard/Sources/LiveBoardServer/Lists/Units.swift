/// Numbers as people read them.
enum Units {
    /// Such as `12 B`, `1.2 MB`: powers of 1,000, at most three digits.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(max(0, count)) B" }
        var value = Double(count)
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            value /= 1000
            if value < 9.95 { return "\(tenths(Int((value * 10).rounded()))) \(unit)" }
            if value < 999.5 { return "\(Int(value.rounded())) \(unit)" }
        }
        return "\(Int(value.rounded())) PB"
    }

    /// Such as `12.5`, of 125.
    static func tenths(_ count: Int) -> String { "\(count / 10).\(count % 10)" }

    /// Such as `1 row`, `2 rows`.
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
