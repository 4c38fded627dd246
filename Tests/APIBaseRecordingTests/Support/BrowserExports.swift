/// Recordings as browsers export them, made by hand.
enum BrowserExports {
    /// Chrome: initiators, priorities, pseudo-headers of HTTP/2, timings with underscores, images as base64.
    static let chrome = #"""
        {
          "log": {
            "version": "1.2",
            "creator": { "name": "WebInspector", "version": "537.36" },
            "pages": [
              {
                "startedDateTime": "2026-03-01T10:00:00.123Z",
                "id": "page_1",
                "title": "https://shop.example/",
                "pageTimings": { "onContentLoad": 412.5, "onLoad": null }
              }
            ],
            "entries": [
              {
                "_connectionId": "1034",
                "_initiator": { "type": "script", "stack": { "callFrames": [] } },
                "_priority": "High",
                "_resourceType": "fetch",
                "cache": {},
                "connection": "443",
                "pageref": "page_1",
                "request": {
                  "method": "GET",
                  "url": "https://shop.example/api/items?page=1&access_token=chrome-secret-1",
                  "httpVersion": "http/2.0",
                  "headers": [
                    { "name": ":authority", "value": "shop.example" },
                    { "name": ":method", "value": "GET" },
                    { "name": "accept", "value": "application/json" },
                    { "name": "cookie", "value": "sid=chrome-secret-2" }
                  ],
                  "queryString": [
                    { "name": "page", "value": "1" },
                    { "name": "access_token", "value": "chrome-secret-1" }
                  ],
                  "cookies": [
                    {
                      "name": "sid", "value": "chrome-secret-2", "path": "/", "domain": "shop.example",
                      "expires": "2027-01-01T00:00:00.000Z", "httpOnly": true, "secure": true, "sameSite": "Lax"
                    }
                  ],
                  "headersSize": -1,
                  "bodySize": 0
                },
                "response": {
                  "status": 200,
                  "statusText": "",
                  "httpVersion": "http/2.0",
                  "headers": [
                    { "name": ":status", "value": "200" },
                    { "name": "content-encoding", "value": "br" },
                    { "name": "content-length", "value": "21" },
                    { "name": "content-type", "value": "application/json" },
                    { "name": "x-first", "value": "1" },
                    { "name": "x-first", "value": "2" }
                  ],
                  "cookies": [],
                  "content": {
                    "size": 33, "mimeType": "application/json", "compression": 12,
                    "text": "{\"items\":[\"Tee\",\"Käse\"],\"next\":2}"
                  },
                  "redirectURL": "",
                  "headersSize": -1,
                  "bodySize": -1,
                  "_transferSize": 320,
                  "_error": null,
                  "_fetchedViaServiceWorker": false
                },
                "serverIPAddress": "203.0.113.7",
                "startedDateTime": "2026-03-01T10:00:00.456Z",
                "time": 31.25799999199808,
                "timings": {
                  "blocked": 3.1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.2, "wait": 25, "receive": 3,
                  "_blocked_queueing": 2.5
                }
              },
              {
                "_resourceType": "image",
                "request": {
                  "method": "GET", "url": "https://shop.example/dot.png", "httpVersion": "h3",
                  "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0
                },
                "response": {
                  "status": 200, "statusText": "OK", "httpVersion": "h3",
                  "headers": [{ "name": "content-type", "value": "image/png" }],
                  "cookies": [],
                  "content": { "size": 8, "mimeType": "image/png", "text": "iVBORw0KGgo=", "encoding": "base64" },
                  "redirectURL": "", "headersSize": -1, "bodySize": -1
                },
                "startedDateTime": "2026-03-01T10:00:00.500Z",
                "time": 2
              },
              {
                "request": {
                  "method": "GET", "url": "https://ads.example/blocked.js", "httpVersion": "",
                  "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0
                },
                "response": {
                  "status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
                  "content": { "size": 0, "mimeType": "x-unknown" },
                  "redirectURL": "", "headersSize": -1, "bodySize": -1, "_error": "net::ERR_BLOCKED_BY_CLIENT"
                },
                "time": null, "timings": null
              }
            ]
          }
        }
        """#

    /// Firefox: a browser, comments, sizes of headers, form fields together with the text.
    static let firefox = #"""
        {
          "log": {
            "version": "1.2",
            "creator": { "name": "Firefox", "version": "125.0" },
            "browser": { "name": "Firefox", "version": "125.0" },
            "comment": "exported by hand",
            "pages": [],
            "entries": [
              {
                "startedDateTime": "2026-03-01T11:00:00.000+01:00",
                "request": {
                  "bodySize": 45,
                  "method": "POST",
                  "url": "https://shop.example/login",
                  "httpVersion": "HTTP/2",
                  "headers": [
                    { "name": "Host", "value": "shop.example" },
                    { "name": "Content-Type", "value": "application/x-www-form-urlencoded" }
                  ],
                  "cookies": [],
                  "queryString": [],
                  "headersSize": 512,
                  "postData": {
                    "mimeType": "application/x-www-form-urlencoded",
                    "params": [
                      { "name": "user", "value": "tee" },
                      { "name": "password", "value": "firefox-secret" }
                    ],
                    "text": "user=tee&password=firefox-secret"
                  }
                },
                "response": {
                  "status": 303,
                  "statusText": "See Other",
                  "httpVersion": "HTTP/2",
                  "headers": [
                    { "name": "location", "value": "/welcome" },
                    { "name": "set-cookie", "value": "sid=firefox-cookie; Path=/; HttpOnly" }
                  ],
                  "cookies": [{ "name": "sid", "value": "firefox-cookie", "httpOnly": true, "path": "/" }],
                  "content": { "mimeType": "text/plain", "size": 0, "text": "" },
                  "redirectURL": "/welcome",
                  "headersSize": 211,
                  "bodySize": 211
                },
                "cache": {},
                "timings": { "blocked": 0, "dns": 0, "connect": 0, "ssl": 0, "send": 0, "wait": 12, "receive": 0 },
                "time": 12,
                "_securityState": "secure",
                "serverIPAddress": "203.0.113.7",
                "connection": "443"
              },
              {
                "startedDateTime": "2026-03-01T11:00:00.100+01:00",
                "request": {
                  "bodySize": 0, "method": "GET", "url": "https://shop.example/welcome", "httpVersion": "HTTP/2",
                  "headers": [], "cookies": [], "queryString": [], "headersSize": 400
                },
                "response": {
                  "status": 200, "statusText": "OK", "httpVersion": "HTTP/2",
                  "headers": [{ "name": "content-type", "value": "text/html" }],
                  "cookies": [],
                  "content": {
                    "mimeType": "text/html", "size": 5120,
                    "comment": "Response bodies are not included."
                  },
                  "redirectURL": "", "headersSize": 100, "bodySize": 100
                },
                "cache": {}, "timings": { "send": 0, "wait": 1, "receive": 1 }, "time": 2
              }
            ]
          }
        }
        """#
}
