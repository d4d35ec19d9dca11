extension BeginnersMistake {
    /// The texts of the second half.
    var otherText: String {
        switch self {
        case .recordedForAnotherSection:
            """
            section 0: 3 before + 1 inserted - 0 deleted = 4, but there are 3
            Likely: What was recorded for section 0 happened in section 1
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [3, 2] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [itemCount] Invalid update: invalid number of items in section 0. The number of \
            items contained in an existing section after the update (3) must be equal to the \
            number of items contained in that section before the update (3), plus or minus \
            the number of items inserted or deleted from that section (1 inserted, 0 deleted) \
            and plus or minus the number of items moved into or out of that section (0 moved \
            in, 0 moved out)
            """
        case .negativeCount:
            """
            section 1: the data source answered -1 items
            Hint: A count is at least 0; answer 0 where there is nothing
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [3, -1] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [negativeItemCount] The number of items in section 1 must not be negative, but \
            the data source answered -1
            """
        case .tooManyItems:
            """
            16777216 items are the limit, but the sections up to 1 have 20000003
            Hint: Raise the limits, or offer fewer at a time
            Before: { 2 sections with item counts: [3, 1] }
            After: { 2 sections with item counts: [3, 20000000] }
            Data source: TextDataSource
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [tooManyItems] The number of items in all sections must be at most 16777216, but \
            the sections up to 1 already have 20000003
            """
        case .throwingClosure:
            """
            The updates closure threw, so its whole record was dropped: TestFailure(text: "no \
            row")
            Do: Throw a Withdrawal before anything is changed, put the model back, or reload
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [updatesThrew]
            """
        case .dataSourceChangesWhileAsked:
            """
            Section 0 of the data source had 4 items, and 9 after it was asked for their \
            content
            Do: Change the model in updates closures only, never in a member of the data \
            source
            Submission: #2
            Model: It keeps what was done to it; undo that, or reload
            [dataSourceChangedDuringLatch]
            """
        case .endWithoutBegin:
            """
            endUpdates() was called without beginUpdates()
            Do: Call beginUpdates() first, or use performBatchUpdates(_:)
            Submission: #2
            [unbalancedEnd]
            """
        case .submissionFromTheDataSource:
            """
            A data source must not submit to its controller while it is asked for content
            Do: Submit in a turn of its own (the lane's enqueue(_:)), not while the data \
            source is asked
            Submission: #3
            [submissionDuringLatch]
            """
        case .relayoutOfAnUnknownPath:
            """
            There is no item at 0 - 3 to measure again in { 2 sections with item counts: [3, \
            1] }
            Do: Use paths of pendingMap; dataSourcePath(for:) converts the view's
            Submission: #2
            [unknownElement]
            """
        case .relayoutAfterARejection:
            """
            A relayout needs counts that agree, but they may differ since submission #2; \
            reload to catch up
            Do: Reload, or record what differs, before asking for a relayout
            Submission: #3
            Model: The data source differs from the last accepted state since submission #2; \
            reload to catch up
            [diverged]
            """
        case .staleRecord:
            """
            The change set was recorded against generation 1, but 2 is the newest; record it \
            again
            Do: Record it again against the newest pendingMap
            Submission: #3
            [stale]
            """
        case .fullBacklog:
            """
            1 change sets are accepted and not yet deployed, and 1 is the limit; nothing was \
            called
            Do: Wait for completions, raise backlogLimit, or use an asynchronous form, which \
            waits by backlogPolicy .suspend
            Submission: #3
            [backlogFull]
            """
        case .useAfterClose:
            """
            Controller 'collection' is closing
            Do: Submit before closing, or to a new controller; a server answers that it ends
            Submission: #2
            [closed]
            """
        default: ""
        }
    }
}
