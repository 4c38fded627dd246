import APIBaseKit
import Dispatch
import NIOPosix
import Testing

@testable import FeedService

/// Where in a service a call may be started.
struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the code there belongs to the scope of the code that leads there.
    let inheritsScope: Bool
    let call: @Sendable () async throws -> Weather

    static let all = [
        Place(testDescription: "the handler", inheritsScope: true, call: weather),
        Place(testDescription: "a child task", inheritsScope: true) {
            async let result = weather()
            return try await result
        },
        Place(testDescription: "a task group", inheritsScope: true) {
            try await withThrowingTaskGroup(of: Weather.self) { group in
                group.addTask { try await weather() }
                return try #require(try await group.next())
            }
        },
        Place(testDescription: "an actor", inheritsScope: true) { try await Desk().weather() },
        Place(testDescription: "a task", inheritsScope: true) { try await Task { try await weather() }.value },
        Place(testDescription: "a detached task", inheritsScope: false) {
            try await Task.detached { try await weather() }.value
        },
        Place(testDescription: "a queue", inheritsScope: false) {
            let call = await withCheckedContinuation { started in
                DispatchQueue.global().async { started.resume(returning: WeatherRequest(city: "Rome").start()) }
            }
            return try await first(of: call)
        },
        Place(testDescription: "an event loop", inheritsScope: false) {
            let call = await withCheckedContinuation { started in
                MultiThreadedEventLoopGroup.singleton.next().execute {
                    started.resume(returning: WeatherRequest(city: "Rome").start())
                }
            }
            return try await first(of: call)
        },
        Place(testDescription: "after receive(on:)", inheritsScope: false) {
            let call = Just(()).receive(on: DispatchQueue.global()).setFailureType(to: (any Error).self)
                .flatMap { WeatherRequest(city: "Rome").start() }
            return try await first(of: call.eraseToAnyPublisher())
        },
    ]

    @Sendable private static func weather() async throws -> Weather { try await WeatherRequest(city: "Rome").value() }

    private static func first(of call: AnyPublisher<Weather, any Error>) async throws -> Weather {
        for try await weather in call.values { return weather }
        throw RequestError.noValue
    }
}

private actor Desk {
    func weather() async throws -> Weather { try await WeatherRequest(city: "Rome").value() }
}
