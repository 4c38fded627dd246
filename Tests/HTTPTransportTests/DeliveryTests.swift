import DemoServer
import Foundation
import HTTPTransport
import Locking
import PortableCombine
import Testing

extension OverSockets {
    @Suite struct DeliveryTests {
        private static let big = String(repeating: "x", count: 2 << 20)

        @Test func nothingHappensBeforeThereIsDemand() async throws {
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            let publisher = DefaultSession.shared.events(for: make(.get, server.url()))
            let idle = Recorder<ExchangeEvent, TransportError>(.none)
            publisher.subscribe(idle)
            // A whole exchange of another subscriber goes by meanwhile.
            let busy = Recorder<ExchangeEvent, TransportError>()
            publisher.subscribe(busy)
            _ = await busy.end()
            #expect(server.requests.count == 1)
            #expect(idle.deliveries == 0)
            idle.request(.unlimited)
            _ = await idle.end()
            #expect(server.requests.count == 2, "each subscription is an exchange of its own")
        }

        @Test func eventsComeInOrderAndOneAtATime() async throws {
            let server = try ScriptedServer(always: reply(body: Self.big))
            defer { server.stop() }
            let recorder = Recorder<ExchangeEvent, TransportError>()
            let body = HTTPBody.data(Data(Self.big.utf8))
            DefaultSession.shared.events(for: make(.post, server.url(), body: body)).subscribe(recorder)
            guard case .finished = await recorder.end() else {
                Issue.record("\(String(describing: recorder.completion))")
                return
            }
            var kinds = ""
            var received = 0
            for event in recorder.values {
                switch event {
                case .sent: kinds += "s"
                case .head: kinds += "h"
                case .body(let data):
                    kinds += "b"
                    received += data.count
                    #expect(!data.isEmpty)
                }
            }
            #expect(received == 2 << 20)
            #expect(kinds.filter { $0 == "h" }.count == 1)
            #expect(!kinds.drop { $0 != "h" }.contains("s"))
            #expect(!kinds.prefix { $0 != "h" }.contains("b"))
            #expect(recorder.overlaps == 0)
            #expect(recorder.completions == 1)
        }

        @Test func neverMoreThanWasAskedFor() async throws {
            let server = try ScriptedServer(always: reply(body: Self.big))
            defer { server.stop() }
            let recorder = Recorder<ExchangeEvent, TransportError>(.max(1))
            DefaultSession.shared.events(for: make(.get, server.url())).subscribe(recorder)
            for count in 1...20 {
                #expect(await recorder.wait { $0.values.count >= count || $0.completion != nil })
                #expect(recorder.values.count <= count)
                recorder.request(.max(1))
            }
            recorder.request(.unlimited)
            #expect(await recorder.end() != nil)
        }

        @Test func whatReceiveReturnsCounts() async throws {
            let server = try ScriptedServer(always: reply(body: Self.big))
            defer { server.stop() }
            let recorder = Recorder<ExchangeEvent, TransportError>(.max(1)) { _ in .max(1) }
            DefaultSession.shared.events(for: make(.get, server.url())).subscribe(recorder)
            guard case .finished = await recorder.end() else {
                Issue.record("\(String(describing: recorder.completion))")
                return
            }
        }

        /// As many blocked subscribers as there are threads to expect, and one that must not notice.
        @Test func aBlockedSubscriberStopsNobodyElse() async throws {
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            let gate = DispatchSemaphore(value: 0)
            let blocked = (0..<12).map { _ in
                Recorder<ExchangeEvent, TransportError> { _ in
                    _ = gate.wait(timeout: .now() + 20)
                    return .none
                }
            }
            for recorder in blocked { DefaultSession.shared.events(for: make(.get, server.url())).subscribe(recorder) }
            for recorder in blocked { #expect(await recorder.wait { !$0.values.isEmpty }) }
            let start = ContinuousClock.now
            let result = await DefaultSession.shared.fetch(make(.get, server.url()))
            #expect(result?.text == "x")
            #expect(ContinuousClock.now - start < .seconds(2))
            for _ in 0..<36 { gate.signal() }
            for recorder in blocked { #expect(await recorder.end() != nil) }
        }

        @Test func theNextRequestMayStartInsideTheLastOnesCallbacks() async throws {
            let server = try ScriptedServer(always: reply(body: "x"))
            defer { server.stop() }
            let inner = Recorder<ExchangeEvent, TransportError>()
            let url = server.url()
            let outer = Recorder<ExchangeEvent, TransportError> { recorder in
                if recorder.values.count == 1 { DefaultSession.shared.events(for: make(.get, url)).subscribe(inner) }
                return .none
            }
            DefaultSession.shared.events(for: make(.get, url)).subscribe(outer)
            #expect(await outer.end() != nil)
            #expect(await inner.end() != nil)
        }

        @Test func theWholeResponseIsOneValueAndNeedsDemand() async throws {
            let server = try ScriptedServer(always: reply(body: Self.big))
            defer { server.stop() }
            let recorder = Recorder<Whole, TransportError>(.none)
            let progress = Locked<[ExchangeProgress]>([])
            let body = HTTPBody.data(Data(Self.big.utf8))
            DefaultSession.shared.response(to: make(.post, server.url(), body: body)) { step in
                progress.withLock { $0.append(step) }
            }.subscribe(recorder)
            recorder.request(.max(1))
            guard case .finished = await recorder.end() else {
                Issue.record("\(String(describing: recorder.completion))")
                return
            }
            #expect(recorder.values.map(\.data.count) == [2 << 20])
            let steps = progress.withLock { $0 }
            #expect(steps.last == .received(2 << 20, expected: 2 << 20))
            var sent: Int64 = 0
            var received: Int64 = 0
            for step in steps {
                switch step {
                case .sent(let bytes, let expected):
                    #expect(bytes >= sent && expected == 2 << 20)
                    sent = bytes
                case .received(let bytes, _):
                    #expect(bytes > received)
                    received = bytes
                }
            }
            #expect(sent == 2 << 20)
        }
    }
}
