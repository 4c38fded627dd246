import HTTPTransport

extension Behavior {
    private static func redirect(to location: String, status: Int = 302) -> String {
        "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
    }

    private static func invalid(_ problem: TransportError.InvalidRequest.Problem) -> Outcome {
        .failure(.invalidRedirect(.init(.url, problem)), .redirect)
    }

    private static func refused(_ name: String, _ location: String, _ problem: TransportError.InvalidRequest.Problem)
        -> Behavior
    {
        Behavior(name, answers: redirect(to: location), then: .keep, expecting: invalid(problem))
    }

    private static let secret = Question { $0.headers = ["Authorization": "Bearer secret", "Cookie": "secret"] }

    /// The second response: shows which secrets were sent.
    private static func verdict(_ scene: Scene) -> String {
        let isLeaked = scene.request["Authorization"] != nil || scene.request["Cookie"] != nil
        return reply(body: isLeaked ? "leaked" : "clean")
    }

    /// Redirect loops, and invalid or dangerous redirects.
    static let redirects: [Behavior] = [
        Behavior("redirect-loop", expecting: .failure(.tooManyRedirects(limit: 10), .redirect)) { scene in
            try scene.write(redirect(to: scene.path))
            return .keep
        },
        Behavior("redirect-endless", expecting: .failure(.tooManyRedirects(limit: 10), .redirect)) { scene in
            try scene.write(redirect(to: "?\(scene.number)", status: 307))
            return .keep
        },
        Behavior("redirect-to-other-origin", secret, expecting: .value(200, "clean")) { scene in
            let there = "http://localhost:\(scene.port)\(scene.path)"
            try scene.write(scene.number == 0 ? redirect(to: there) : verdict(scene))
            return .keep
        },
        Behavior("redirect-to-other-origin-and-back", secret, expecting: .value(200, "clean")) { scene in
            let away = "http://localhost:\(scene.port)\(scene.path)"
            let back = "http://127.0.0.1:\(scene.port)\(scene.path)"
            try scene.write(scene.number < 2 ? redirect(to: [away, back][scene.number]) : verdict(scene))
            return .keep
        },
        Behavior("redirect-loop-of-origins", expecting: .failure(.tooManyRedirects(limit: 10), .redirect)) { scene in
            let host = scene.number % 2 == 0 ? "localhost" : "127.0.0.1"
            try scene.write(redirect(to: "http://\(host):\(scene.port)\(scene.path)"))
            return .keep
        },
        refused("redirect-to-file", "file:///etc/passwd", .unsupportedScheme),
        refused("redirect-to-gopher", "gopher://127.0.0.1:1/_x", .unsupportedScheme),
        refused("redirect-to-script", "javascript:alert(1)", .unsupportedScheme),
        refused("redirect-to-user", "http://user:pass@127.0.0.1/", .userInfo),
        refused("redirect-to-no-host", "http:///x", .badHost),
        refused("redirect-to-bad-port", "http://127.0.0.1:99999/", .badPort),
        refused("redirect-with-backslash", "http://127.0.0.1\\@localhost/", .forbiddenByte(0x5C)),
        Behavior(
            "redirect-to-a-closed-port",
            answers: redirect(to: "http://127.0.0.1:1/"),
            then: .keep,
            expecting: .failure(.cannotConnect, .connect)
        ),
        Behavior(
            "redirect-without-target",
            answers: "HTTP/1.1 302 Moved\r\nContent-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .value(302, "body"),
            urlSession: [.value(302, "")]
        ),
        Behavior("redirect-to-empty-target", answers: redirect(to: ""), then: .keep, expecting: .value(302, "")),
        Behavior("redirect-up-and-up", expecting: .value(200, "good")) { scene in
            try scene.write(redirect(to: "../../../../../../good"))
            return .keep
        },
        Behavior("redirect-without-scheme", expecting: .value(200, "good")) { scene in
            try scene.write(redirect(to: "//127.0.0.1:\(scene.port)/good"))
            return .keep
        },
        Behavior(
            "redirect-twice-at-once",
            answers: "HTTP/1.1 302 Moved\r\nLocation: /good\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
            then: .keep,
            expecting: .value(200, "good"),
            .malformed(.redirect),
            because: "RFC 9110, section 10.2.2 allows one, and clients take the first or refuse"
        ),
        Behavior(
            "redirect-to-a-megabyte",
            expecting: .failure(.tooLarge(.headerLine, limit: 102_400), .head),
            urlSession: [.failure(.engine, .head)]
        ) {
            scene in
            try scene.write(redirect(to: "/" + String(repeating: "x", count: 1 << 20)))
            return .keep
        },
        Behavior(
            "redirect-with-huge-body",
            expecting: .value(200, "good"),
            urlSession: [.value(200, "good"), .stuck]
        ) { scene in
            try scene.write("HTTP/1.1 302 Moved\r\nLocation: /good\r\nContent-Length: 100000000\r\n\r\n")
            try scene.writeForever(String(repeating: "x", count: 16_384))
            return .close
        },
        Behavior(
            "redirect-with-endless-body",
            expecting: .value(200, "good"),
            urlSession: [.value(200, "good"), .stuck]
        ) { scene in
            try scene.write("HTTP/1.1 302 Moved\r\nLocation: /good\r\nTransfer-Encoding: chunked\r\n\r\n")
            try scene.writeForever("1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n")
            return .close
        },
        Behavior(
            "redirect-broken-off",
            answers: "HTTP/1.1 302 Moved\r\nLocation: /good\r\nContent-Length: 9\r\n\r\nhalf",
            expecting: .value(200, "good"),
            urlSession: [.lost(.head)]
        ),
        Behavior(
            "redirect-of-post-with-body",
            Question(.post) { $0.bodyBytes = 100_000 },
            expecting: .value(200, "POST 100000")
        ) { scene in
            let isFirst = scene.number == 0
            try scene.write(
                isFirst
                    ? redirect(to: scene.path, status: 307)
                    : reply(body: "\(scene.request.method) \(scene.request.declaredLength)")
            )
            return .keep
        },
    ]
}
