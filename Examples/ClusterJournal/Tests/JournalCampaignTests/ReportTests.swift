import JournalCampaign
import Testing

struct ReportTests {
    private static let term = CampaignTerm(epoch: 12, nonce: 0x7f3a)
    private static let marks = [EditMark(term, 3), EditMark(CampaignTerm(epoch: 9, nonce: 1), 4)]

    static let reports: [MemberReport] = [
        .began(term, []), .began(term, marks), .ended(term, reason: "fenced"),
        .acknowledged(EditMark(term, 5), submitted: 77),
        .shown(version: "00c0ffee00c0ffee.12", digest: "ab", EditMark(term, 5), isReset: true),
        .shown(version: "00c0ffee00c0ffee.13", digest: "ab", nil, isReset: false),
        .event("recovering rolledBack"),
        .status(
            MemberStatus(
                isLeading: true,
                isCurrent: false,
                pendingRecords: 2,
                version: "00c0ffee00c0ffee.12",
                digest: "ab"
            )
        ),
        .marks(marks), .misfit("at 5 an edit is doubled"),
    ]

    @Test(arguments: reports)
    func aReportIsReadAsItIsWritten(_ report: MemberReport) throws {
        let timed = TimedReport(1_234, report)
        #expect(TimedReport(timed.description) == timed)
    }

    @Test(arguments: [
        "", "5", "x event a", "5 began 12", "5 shown a b c", "5 marks 1-2", "5 what a",
    ])
    func whatIsNoReportIsNone(_ line: String) {
        #expect(TimedReport(line) == nil)
    }
}
