import FeedService
import Foundation
import Upstream

/// Measures `/feed` of the service beside the same without the kit: `swift run -c release measure`.
///
/// Both run in processes of their own, and so do the upstreams. A number says how many rounds there are: nine by default.
@main struct Measure {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case nil: try await Contest.run(rounds: 9)
        case "kit"?: try await runService()
        case "plain"?: try await PlainService.run()
        case "upstream"?:
            try await Upstream().run { port in
                print("listening on port \(port)")
                fflush(nil)
                // Until it is told to stop.
                while true { try await Task.sleep(for: .seconds(60)) }
            }
        case let text?: try await Contest.run(rounds: max(1, Int(text) ?? 9))
        }
    }
}
