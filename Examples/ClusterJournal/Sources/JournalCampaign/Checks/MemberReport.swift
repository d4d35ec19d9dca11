/// What a member tells the campaign, a line each.
package enum MemberReport: Hashable, Sendable {
    /// It leads, from a list whose last leaderships had come so far.
    case began(CampaignTerm, [EditMark])
    /// It does not lead any more.
    case ended(CampaignTerm, reason: String)
    /// An edit is as durable as is promised; and when it was submitted.
    case acknowledged(EditMark, submitted: UInt64)
    /// Readers are shown a state: with everything, or by an update from the one before.
    case shown(version: String, digest: String, EditMark?, isReset: Bool)
    /// Something happened, of a kind.
    case event(String)
    /// How it is doing, when it was asked.
    case status(MemberStatus)
    /// The last edit of every leadership, when it was asked.
    case marks([EditMark])
    /// Something is wrong with what it shows.
    case misfit(String)
}

/// How a member is doing.
package struct MemberStatus: Hashable, Sendable {
    package var isLeading: Bool
    package var isCurrent: Bool
    package var pendingRecords: Int
    package var version: String
    package var digest: String

    package init(
        isLeading: Bool,
        isCurrent: Bool,
        pendingRecords: Int,
        version: String,
        digest: String
    ) {
        (self.isLeading, self.isCurrent) = (isLeading, isCurrent)
        self.pendingRecords = pendingRecords
        (self.version, self.digest) = (version, digest)
    }
}

/// A report with the time at which the member made it, in nanoseconds of the machine's own clock.
package struct TimedReport: Hashable, Sendable {
    package var time: UInt64
    package var report: MemberReport

    package init(_ time: UInt64, _ report: MemberReport) {
        (self.time, self.report) = (time, report)
    }
}

extension TimedReport: LosslessStringConvertible {
    /// The line.
    package var description: String {
        "\(time) \(words)"
    }

    private var words: String {
        switch report {
        case .began(let term, let marks): "began \(term) \(Self.text(marks))"
        case .ended(let term, let reason): "ended \(term) \(reason)"
        case .acknowledged(let mark, let submitted): "acknowledged \(mark) \(submitted)"
        case .shown(let version, let digest, let mark, let isReset):
            "shown \(version) \(digest) \(mark.map(\.description) ?? "-")"
                + (isReset ? " reset" : " update")
        case .event(let kind): "event \(kind)"
        case .status(let status):
            "status \(status.isLeading ? 1 : 0) \(status.isCurrent ? 1 : 0)"
                + " \(status.pendingRecords) \(status.version) \(status.digest)"
        case .marks(let marks): "marks \(Self.text(marks))"
        case .misfit(let text): "misfit \(text)"
        }
    }

    package init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 3, let time = UInt64(words[0]) else { return nil }
        let rest = words[2...].joined(separator: " ")
        let report: MemberReport? =
            switch (words[1], words.count) {
            case ("began", 4):
                CampaignTerm(words[2]).flatMap { term in
                    Self.marks(words[3]).map { .began(term, $0) }
                }
            case ("ended", 4): CampaignTerm(words[2]).map { .ended($0, reason: words[3]) }
            case ("acknowledged", 4):
                EditMark(words[2]).flatMap { mark in
                    UInt64(words[3]).map { .acknowledged(mark, submitted: $0) }
                }
            case ("shown", 6):
                .shown(
                    version: words[2],
                    digest: words[3],
                    EditMark(words[4]),
                    isReset: words[5] == "reset"
                )
            case ("event", _): .event(rest)
            case ("status", 7):
                Int(words[4]).map { pending in
                    .status(
                        MemberStatus(
                            isLeading: words[2] == "1",
                            isCurrent: words[3] == "1",
                            pendingRecords: pending,
                            version: words[5],
                            digest: words[6]
                        )
                    )
                }
            case ("marks", 3): Self.marks(words[2]).map { .marks($0) }
            case ("misfit", _): .misfit(rest)
            default: nil
            }
        guard let report else { return nil }
        self.init(time, report)
    }

    private static func text(_ marks: [EditMark]) -> String {
        marks.isEmpty ? "-" : marks.map(\.description).joined(separator: ",")
    }

    private static func marks(_ text: String) -> [EditMark]? {
        if text == "-" { return [] }
        let parts = text.split(separator: ",")
        let marks = parts.compactMap { EditMark(String($0)) }
        return marks.count == parts.count ? marks : nil
    }
}
