/// What a row shows of a file; its path is the row's identifier.
struct FileRow: Equatable, Sendable {
    enum Kind: String, Sendable {
        case regular, link, other
    }

    let kind: Kind
    let size: Int
    /// In seconds since 1970, in UTC.
    let modified: Int

    func html(id: String) -> String {
        let name = id.split(separator: "/").last ?? id[...]
        let (size, modified) = (Units.bytes(size), CalendarTime(secondsSince1970: modified))
        return """
            <div class="row file \(kind.rawValue)" data-id="\(HTMLText.escaped(id))">\
            \(HTMLText.span("name", String(name)))\
            \(HTMLText.span("size", size))\
            <time class="modified" datetime="\(modified.exact)">\(modified.short)</time></div>
            """
    }
}

/// A time as people read it, in UTC and the Gregorian calendar.
struct CalendarTime {
    private let date: String
    private let time: (hour: Int, minute: Int, second: Int)

    init(secondsSince1970 seconds: Int) {
        // From the year 1 to 9999, so that a broken clock gives no absurd text.
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let second = ((seconds % 86_400) + 86_400) % 86_400
        // Days since the first of March of the year 0, as years that end with the leap day.
        let days = (seconds - second) / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        time = (second / 3600, second / 60 % 60, second % 60)
    }

    /// Such as `2026-11-25 12:00`.
    var short: String { "\(date) \(Self.padded(time.hour, 2)):\(Self.padded(time.minute, 2))" }

    /// Such as `2026-11-25T12:00:07Z`.
    var exact: String {
        let (hour, minute) = (Self.padded(time.hour, 2), Self.padded(time.minute, 2))
        return "\(date)T\(hour):\(minute):\(Self.padded(time.second, 2))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
