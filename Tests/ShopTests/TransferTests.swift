import APIBaseTesting
import TestTiers
import Testing

/// What takes its time: exports, events, bulk requests. In tests it takes none.
@Suite(.shop, .limited) struct TransferTests {
    static let running = #"{"id": "x1", "status": "running"}"#
    static let done = #"{"id": "x1", "status": "done", "file_url": "/v1/exports/x1/file"}"#

    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(.post, "/exports").answer(.json(running, status: 202, headers: ["Retry-After": "2"]))
            stubs.on(.get, "/exports/x1")
                .answer(inOrder: .json(running, status: 202, headers: ["Retry-After": "600"]), .json(done))
        }
    )
    func `A shop export is polled until it is done, each time after the wait that Retry-After gives`() async throws {
        #expect(try await finishedExport(within: .seconds(3600)).status == "done")
        #expect(Stubs.current?.waits == [.init(.sleep, .seconds(2)), .init(.sleep, .seconds(600))])
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            stubs.on(.post, "/exports").answer(.json(running, status: 202, headers: ["Retry-After": "40"]))
            stubs.on(.get, "/exports/x1").answer(.json(running, status: 202, headers: ["Retry-After": "40"]))
        }
    )
    func `A shop export throws ExportTimeout when the next Retry-After would exceed the time limit`() async throws {
        await #expect(throws: ExportTimeout.self) { try await finishedExport() }
        #expect(Stubs.current?.waits == [.init(.sleep, .seconds(40))])
    }

    @Test(
        .stubs {
            $0.signIn(); $0.on(.post, "/products/7/image").answer(.json(#"{"image_url": "/7.png"}"#))
        }
    )
    func `UploadImageRequest sends the caption and the image file as a multipart body`() async throws {
        try await inFolder { folder in
            let image = folder.appendingPathComponent("lamp.png")
            try Data("PNG".utf8).write(to: image)
            let upload = UploadImageRequest(id: 7, image: image, caption: "Größe")
            #expect(try await upload.value().imageUrl == "/7.png")
        }
        let body = String(decoding: try #require(Stubs.current?.calls.last).body, as: UTF8.self)
        #expect(body.contains("name=\"caption\"\r\n\r\nGröße\r\n"))
        #expect(body.contains("Content-Type: image/png\r\n\r\nPNG\r\n"))
    }

    @Test
    func `The download of a shop export continues with a Range header after the connection breaks`() async throws {
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let stubs = Stubs()
        stubs.signIn()
        stubs.on(.post, "/exports").answer(.json(Self.done))
        let file = stubs.on(ExportFileRequest.self).answer(
            inOrder: .ranges(of: bytes, etag: "\"1\"").broken(off: .afterBytes(70_000)),
            .ranges(of: bytes, etag: "\"1\"")
        )
        try await inFolder { folder in
            let url = try await stubs.run { try await export(to: folder.appendingPathComponent("all.csv")) }
            #expect(try Data(contentsOf: url) == bytes)
            #expect(try names(in: folder) == ["all.csv"])
        }
        #expect(file.calls.map { $0.headers["Range"] } == [nil, "bytes=70000-"])
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            let events = (1...3).map { id in
                ServerSentEvent(
                    type: "order.paid",
                    data: #"{"order_id": "\#(id)", "kind": "order.paid", "at": "2026-01-02T03:04:05.678Z"}"#,
                    lastEventID: "\(id)"
                )
            }
            let end = ServerSentEvent(type: "end", data: "-", lastEventID: "4")
            stubs.on(OrderEventsRequest.self).answer(inOrder: .events(Array(events[..<2])), .events(events + [end]))
        }
    )
    func `An order event stream reconnects with Last-Event-ID and delivers each event once`() async throws {
        var events: [OrderEvent] = []
        try await OrderEventsRequest().forEach { events.append($0) }
        #expect(events.map(\.orderId) == ["1", "2", "3"])
        #expect(Stubs.current?.calls.last?.headers["Last-Event-ID"] == "2")
        #expect(Stubs.current?.waits.map(\.reason) == [.reconnection])
    }

    @Test(
        .stubs { stubs in
            stubs.signIn()
            let lines = """
                {"line": 1, "sku": "A", "status": 201}
                {"line": 2, "sku": "A", "status": 422, "error": {"error_code": "invalid", "detail": "twice"}}
                """
            stubs.on(.post, "/products/bulk", headers: ["Accept": "application/x-ndjson"])
                .answer(.text(lines, status: 207, headers: ["Content-Type": "application/x-ndjson"]))
        }
    )
    func `A bulk request sends products as JSON lines and reads the results as JSON lines`() async throws {
        var results: [BulkResult] = []
        for try await result in BulkRequest([.sample, .sample]).eachResult() { results.append(result) }
        #expect(results.map(\.status) == [201, 422])
        #expect(results.last?.error == .init(errorCode: "invalid", detail: "twice"))
        let sent = try #require(Stubs.current?.calls.last)
        #expect(sent.headers["Content-Type"] == "application/x-ndjson")
        let lines = sent.body.split(separator: UInt8(ascii: "\n"))
        #expect(try lines.map { try JSONDecoder.shop.decode(NewProduct.self, from: Data($0)) } == [.sample, .sample])
    }
}

extension JSONDecoder {
    static var shop: JSONDecoder { StartExportRequest().decoder }
}
