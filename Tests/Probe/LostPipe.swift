#if os(Linux)
import CCurl
import Glibc
import HostileServer

/// Writes to a pipe that nothing reads, while libcurl is at work and afterwards: the first must not end the process, the
/// second must, as it would anywhere else.
enum LostPipe {
    static func run() {
        signal(SIGPIPE, SIG_DFL)
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        close(ends[0])
        ccurl_enter()
        let written = write(ends[1], "x", 1)
        say("at work: \(written), \(errno == EPIPE)")
        ccurl_leave()
        say("left")
        _ = write(ends[1], "x", 1)
        say("not reached")
    }
}
#endif
