import Basics
import HTTPTransport

/// The head of the last reply to a call, for the one who has started it.
final class ReplyRecorder: Sendable {
    let head = Locked<ResponseHead?>(nil)
}

/// The recorder of the code that starts a call; `nil` if it wants none.
enum HeadRecorder: CallLocal {
    static let initial: ReplyRecorder? = nil
}
