import CollectionReplication
import Dispatch
import JournalSupport

// How long a read waits, and what it is told when nothing came.

extension NATSCursor {
    /// Sets the one timer of this place, unless it runs out early enough: then it is set again when it does.
    func setTimer() {
        let due: DispatchTime? = state.withLock { state in
            guard let deadline = state.deadline, state.waiting != nil else { return nil }
            if let timer = state.timer, timer <= deadline { return nil }
            state.timer = deadline
            return deadline
        }
        guard let due else { return }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: due) { [weak self] in
            self?.timerRanOut(due)
        }
    }

    private func timerRanOut(_ due: DispatchTime) {
        let number: Int? = state.withLock { state in
            if state.timer == due { state.timer = nil }
            guard let deadline = state.deadline, deadline <= .now(), state.waiting != nil else {
                return nil
            }
            return state.readNumber
        }
        guard let number else { return setTimer() }
        if answerIfPossible() { return }
        // A broker that went back to an earlier state, or that dropped the consumer, says nothing by itself.
        link.state(of: stream) { [self] result in waited(number, result) }
    }

    private func waited(
        _ number: Int,
        _ result: Result<(NATSStream.State, created: String), LogError>
    ) {
        let read: Read? = state.withLock { state in
            guard state.readNumber == number else { return nil }
            return state.waiting
        }
        guard let read else { return }
        switch result {
        case .failure(let error): answer(.failure(error), ending: true)
        case .success(let (stream, _)):
            reading.began(at: stream.first)
            if stream.last + 1 == read.position {
                answer(.success(Self.nothing(read.position, stream)), ending: false)
            } else if stream.last < read.position {
                answer(.success(Self.nothing(read.position, stream)), ending: true)
            } else {
                // There are records that were not sent, or are just being.
                state.withLock { $0.deadline = .now() + link.options.answerTimeout.timeInterval }
                seekAgain("some were not sent")
                setTimer()
            }
        }
    }
}
