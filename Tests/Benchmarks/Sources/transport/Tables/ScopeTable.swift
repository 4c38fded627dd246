import APIBaseKit
import Foundation
import Harness
import HTTPTransport
import JSONPlaceholder
import PortableCombine

/// The cost of a look at the task's scope of stubs without a scope, and of the start of a call, which makes it.
struct ScopeTable {
    private enum Local { @TaskLocal static var value: (any Sendable)? }

    func run() {
        let url = URL(string: "http://127.0.0.1/")
        let session = InstantSession()
        let lines = [
            Line("one look at a task-local value that is not set", elements: 1_000) {
                for _ in 0..<1_000 { blackHole(Local.value) }
            },
            Line("`UsersRequest()`: the request object alone") {
                let request = UsersRequest()
                request.baseURL = url
                blackHole(request)
            },
            Line("`UsersRequest().start()`: with its publisher, not subscribed to") {
                let request = UsersRequest()
                request.baseURL = url
                blackHole(request.start())
            },
            Line("the same under a stub, subscribed to") {
                let request = UsersRequest()
                request.baseURL = url
                request.dataTaskPublisher = request.stubJSONResponse(statusCode: 500, data: Data())
                blackHole(request.sendRequest().sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
            },
            Line("`sendRequest()` on a session that answers at once, with 4 KB", elements: 100) {
                for _ in 0..<100 {
                    let request = UsersRequest()
                    request.baseURL = url
                    request.session = session
                    blackHole(request.sendRequest().sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
                }
            },
        ]
        print("| line | ns (quartiles) | allocations |")
        print("|---|---:|---:|")
        for line in lines {
            let duel = Duel(line, against: nil)
            let share = Double(line.elements)
            let times = [duel.ours.median, duel.ours.lower, duel.ours.upper].map { fixed($0 / share, 0) }
            let allocations = duel.ourAllocations.map { fixed(Double($0) / share, 0) } ?? "–"
            print("| \(line.name) | **\(times[0])** (\(times[1])–\(times[2])) | \(allocations) |")
        }
    }
}
