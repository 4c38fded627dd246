extension HabitsTests {
    /// Rows of the page whose habit takes more than bytes over a socket: the title, and the file and the name of the
    /// test that holds it.
    static let elsewhere: [(title: String, file: String, test: String)] = {
        var rows: [(title: String, file: String, test: String)] = []
        var (file, test) = ("", "")
        for line in list.split(separator: "\n").map(String.init) {
            if line.hasPrefix("## ") {
                test = String(line.dropFirst(3))
            } else if line.hasPrefix("# ") {
                file = String(line.dropFirst(2))
            } else {
                rows.append((line, file, test))
            }
        }
        return rows
    }()

    /// A file after `#`, each of its tests after `##`, and below that the rows which the test holds. One text
    /// compiles faster than an array.
    private static let list = #"""
        # HTTPTransportTests/Engines/Curl/CurlConnectTests.swift
        ## A host with an IPv6 zone is reached, and the zone is not sent in the Host header
        A host with a zone, `[fe80::1%25eth0]`
        # HTTPTransportTests/Engines/Curl/CurlCodingTests.swift
        ## A body in no coding, an unknown one or several arrives as it was sent
        A download in a coding that is not known
        # HTTPTransportTests/Engines/Curl/CurlFramingTests.swift
        ## A response with ambiguous framing or a malformed header fails with malformedResponse
        `Content-Length: +4`, `-4` or `0x4`
        `chunked` twice, or another transfer coding
        A space before the colon of a header
        ## A response body shorter than its Content-Length or chunks declare fails with connectionLost
        No last chunk before the end of the connection
        ## A response with a malformed status line fails with malformedResponse
        101 although no upgrade was asked for
        ## A 204, 304 or HEAD response has an empty body even if another response follows its head
        A body with 204 or 304, or after `HEAD`
        # HTTPTransportTests/Request/RedirectTargetTests.swift
        ## A Location with an empty port is resolved to a URL without one
        An empty port in `Location`, `http://host:/`
        # HTTPTransportTests/Hostile/MisbehavingServerTests.swift
        ## CurlSession has the expected outcome with each misbehaving server that needs no long wait
        Headers of a megabyte
        A header line of more than 100 KiB
        A second response that nobody asked for
        408 on a connection that is idle
        401 with a challenge for NTLM or Negotiate
        # HTTPTransportTests/Engines/Curl/CurlUploadTests.swift
        ## A POST on a kept-alive connection that closes fails with connectionLost and is sent once
        A kept connection that closes under a `POST`
        ## If a kept-alive connection closes, a short replayable PUT or QUERY is resent and a one-shot one fails
        A kept connection that closes under a short `PUT`
        ## A 413 response sent before a TCP reset during an upload is still delivered
        413 while the body is being sent, and then a reset
        # HTTPTransportTests/TLS/CurlTruncationTests.swift
        ## A TLS response without a length fails with connectionLost if close_notify is missing
        A body without a length over TLS, and no `close_notify`
        # HTTPTransportTests/Engines/Curl/CurlHTTP2ResetTests.swift
        ## An HTTP 2 response that has come whole counts although the server resets the upload with NO_ERROR
        An answer to an upload that is not read, and then `RST_STREAM` with `NO_ERROR`
        `RST_STREAM` with `INTERNAL_ERROR` or `CANCEL`
        ## An HTTP 2 response that comes with its reset is delivered whole, or its loss is named
        The same in one write
        # HTTPTransportTests/Engines/Curl/CurlHTTP2ClosingTests.swift
        ## Sequential uploads succeed although the server closes HTTP 2 connections after a few requests
        `GOAWAY` after a few requests
        ## Parallel uploads arrive whole or not at all when GOAWAY ends their HTTP 2 connection
        `GOAWAY` while uploads are on their way
        # HTTPTransportTests/Engines/Curl/CurlHTTP2MessageTests.swift
        ## The trailers of an HTTP 2 response are dropped
        Trailers over HTTP/2
        # HTTPTransportTests/Engines/Curl/CurlHTTP2Tests.swift
        ## Over HTTP 2, 100 requests succeed when the server allows four streams per connection
        Only four streams for each connection
        # APIBaseKitTests/Messages/EchoTests.swift
        ## A cache asks for a stored response by its ETag only if that has at most 4,096 bytes
        An `ETag` of more than 4,096 bytes
        # APIBaseKitTests/ServerSentEvents/EventRequestTests.swift
        ## EventRequest skips events whose data is empty or blank, wherever they are in the stream
        Events without data, as pings
        ## EventRequest decodes each server-sent event until its end mark, such as [DONE], arrives
        `[DONE]` as the last event
        ## EventRequest fails with streamCutOff after its values if the stream closes before the end mark
        An end of the events without their end mark
        ## EventRequest finishes at its end mark and closes a connection that the server keeps open
        A connection that stays open after the end mark
        # APIBaseKitTests/ServerSentEvents/ServerSentEventDecodingTests.swift
        ## Server-sent events are parsed as the HTML standard says, wherever their bytes are split
        Comments that keep the connection open
        A byte order mark before the first event
        Lines of events that end in CR, LF and CRLF
        A last event without a blank line
        # APIBaseKitTests/ServerSentEvents/HostileEventsTests.swift
        ## Hostile server-sent events give the same result with Content-Length, chunks or neither
        Events that are not UTF-8
        Events with another charset in their type
        # APIBaseKitTests/ServerSentEvents/ReplyEventsTests.swift
        ## The replyEvents() method fails with contentTypeMismatch unless the reply is events or JSON
        Events as `text/plain`, `text/html` or without a type
        ## The replyEvents() method fails with failureEvent for an error event, streamCutOff without end mark
        JSON in place of events
        `event: error`, or `error` in the data of an event
        Blanks around the end mark, or no blank line after it
        ## A JSON reply with an error member fails replyEvents() with httpFailure or the API's own error
        JSON with `error` in place of events, with status 200
        ## The replyEvents() method fails with the API's own error for a 400, and finishes for a 204
        204 in place of events
        # APIBaseKitTests/Streams/BrokenStreamTests.swift
        ## Everything that arrived before a connection broke is delivered, and then one error
        A connection that breaks in a stream
        # APIBaseKitTests/Streams/FaultyBodyTests.swift
        ## All whole lines and events before a fault in a body are delivered, and then its error
        A fault after whole lines or events, as a bad chunk or a limit
        Lines in a coding that is broken after them
        # APIBaseKitTests/ServerSentEvents/EventSourceTests.swift
        ## An event source doubles its reconnection time after each connection without an event
        `retry: 0`, or a huge one
        ## An event source sends back an ID of up to 4,096 bytes without control characters, and drops others
        An event with an `id` of more than 4,096 bytes
        # APIBaseKitTests/Lines/LinesTests.swift
        ## The lines() operator gives the same lines however the bytes are split into chunks
        No line end after the last line
        ## The lines() operator accepts lines of up to one mebibyte by default
        A line of more than a mebibyte
        # APIBaseKitTests/Lines/JSONLinesTests.swift
        ## JSON Lines are decoded to the same values however the bytes are split into chunks
        Blank lines and CRLF between lines of JSON
        A byte order mark before a line of JSON
        ## JSON Lines fail with undecodableLine at a line that is not one value, after the lines before it
        An array over several lines, or a comma after a value
        # APIBaseKitTests/OAuth/AuthorizationServerTests.swift
        ## OAuth discovery goes on to OpenID Connect after 3xx, most 4xx and other replies, but not after failures
        4xx, a redirect or a page for the metadata of RFC 8414
        408, 425, 429 or 5xx for the metadata
        ## OAuth discovery fails with issuerMismatch when the metadata names another issuer
        Metadata with another issuer, even by a slash
        ## OAuth discovery fails with invalidEndpoint when an endpoint is no plain https URL without fragment
        An endpoint with `http`, a user name or a fragment
        ## OAuth discovery reads a boolean of another type as what it says, and endpoints of another type as none
        Booleans in the metadata as `"true"`, `"yes"` or `1`
        # APIBaseKitTests/OAuth/AuthorizationCodeTests.swift
        ## An OAuth authorization URL keeps the endpoint's query without the parameters that the sign-in sets
        `state` or `client_id` in the URL of the sign-in page
        ## A wrong OAuth callback fails with a SignInError such as stateMismatch, and requests no token
        A code at the callback without `state`, or with another
        # APIBaseKitTests/Loopback/LoopbackReceiverTests.swift
        ## LoopbackReceiver names in noCallback the code of an OAuth refusal without state, and shows no such code else
        A refusal at the callback without `state`
        # APIBaseKitTests/OAuth/TokenAnswerTests.swift
        ## The expires_in of an OAuth token is a number or text of up to a hundred years, and ignored if 0 or less
        `expires_in` as a text, with blanks, or as `3600.0`
        `expires_in` of null, or as a word
        ## An OAuth answer with a token and an empty error, or other odd fields, is a token
        `"error": ""` beside a token
        `"token_type": "JWT"`
        ## An OAuth refusal is read as text, as an object or as a form, and after invalid_grant a user signs in again
        An OAuth error as an object, or as a form
        ## An OAuth refusal that is no JSON object and no form with a code fails with httpFailure
        A page or a text with `error=` in it, in place of an OAuth error
        ## A form with its own type in place of JSON is a token or an OAuth refusal, also for a device
        A token as a form, with the type of a form
        ## An OAuth token whose expires_in is 0 or less serves later calls without another token request
        `expires_in` of 0 or less
        # APIBaseKitTests/Credentials/UnsendableTokenTests.swift
        ## A token endpoint that gives a token that cannot be sent fails the call, and the stored one stays
        A token that is empty, or has a line end or a blank
        # APIBaseKitTests/OAuth/OAuthRequestTests.swift
        ## An OAuth token request that is redirected fails with OAuthError and is not sent on
        A redirect of a token request
        # APIBaseKitTests/OAuth/DeviceCodeTests.swift
        ## An OAuth device poll after a 429 or 503 waits for Retry-After, or twice the interval without one
        429 or 503 while a device waits for its user
        ## An OAuth device sign-in polls no faster than the interval, and for the last time just before the code ends
        `expires_in` of 0 or less, or as a word, for a device
        ## An OAuth device sign-in accepts a null, negative or text interval, and verification_url
        `verification_url`, or `interval` as a text, for a device
        # APIBaseKitTests/Polling/PolledRequestTests.swift
        ## PolledRequest takes its next URL and delay from Operation-Location, Location and Retry-After
        202 without `Location`
        202 without a body, or with a text
        `Azure-AsyncOperation` or `Operation-Location` with 200 or 201
        A report with 200 that names itself
        201 with `Location`
        `Retry-After: 0` with 202
        ## PolledRequest sends no Authorization or X-Api-Key to another origin, nor with later polls
        202 with the `Location` of another host
        # APIBaseKitTests/Polling/HostilePollTests.swift
        ## PolledRequest polls the Location of a 202, and fails with TransportError if it is invalid
        202 with `javascript:` or `file:` in `Location`
        # APIBaseSigningTests/Webhooks/WebhookVerifierTests.swift
        ## A Standard Webhooks signature is read from the first complete set of webhook- or svix- headers
        `svix-id` and the like in place of `webhook-id`
        ## A Standard Webhooks verifier with a prefix of one's own reads those headers only
        Such headers with a prefix of its own
        ## A webhook is accepted only within 300 s before or after its timestamp
        A timestamp that is more than five minutes away
        ## A valid X-Hub-Signature-256 header of GitHub is verified, and a malformed or wrong one fails
        `X-Hub-Signature` alone, with SHA-1
        # APIBaseRecordingTests/HAR/OddHARTests.swift
        ## A HAR entry without a readable request or response answers nothing, and the others are replayed
        An entry without a response, or with status 0
        ## A HAR entry is replayed whatever the members are that the call does not need
        `"status": "200"`, or headers as an object
        ## A HAR body that cannot be read fails the call that needs it with wrongShape, and no other
        A body that is not base64, though it says so
        # APIBaseGeneratorTests/Recordings/DraftTests.swift
        ## A recorded reply nested 600 deep gives a short draft that the generator reads, and a warning
        A response that is nested hundreds of levels deep
        # APIBaseRecordingTests/HAR/BrowserHARTests.swift
        ## A replayed Firefox HAR file follows a redirect and fails with missingBody, as its target has none
        No text for a body of many bytes, as Firefox can write it
        # apibaseTests/Transfers/ServerFileNameTests.swift
        ## The download command names a file as Content-Disposition says, or after the last URL
        `filename*=UTF-8''%e2%82%ac.txt` in `Content-Disposition`
        A path in `Content-Disposition`
        A redirect to a file with a name
        # APIBaseKitTests/Downloads/DownloadResumptionTests.swift
        ## A download resumes only with a strong ETag or Last-Modified as its validator
        No tag, or a weak one, for a download that breaks off
        ## A resumed download ends with the server's current file, even if the reply does not fit its Range
        200 in place of a part, or a part that does not fit
        # APIBaseKitTests/Downloads/DownloadRetryTests.swift
        ## A download whose bytes do not match its Repr-Digest header fails and keeps the existing file
        `Repr-Digest` that does not match
        # APIBaseKitTests/OAuth/RepeatedOAuthSecretTests.swift
        ## The error of a sign-in shows no secret that the server repeats, and no part of it, in any spelling
        An error of OAuth that repeats a token or a secret
        ## An OAuthError keeps a known code, hides a repeated secret, and drops a text with a piece of one
        An error of OAuth with a part of a secret
        # APIBaseKitTests/Redaction/RepeatedSecretTests.swift
        ## An error and a log do not show a secret of the request that the server repeats, in any spelling
        A problem's title or a message of GraphQL with a token
        A charset, a coding, a key of JSON or a type of an event with a token
        A `Location`, a next page or the URL of a report with a token
        A token in several lines, with blanks, in the other case, or as hexadecimal digits with colons
        ## Errors hide the plus signs at the ends of a secret, however they are escaped
        Plus signs at the ends of a token
        # APIBaseKitTests/Lines/HandReadSecretTests.swift
        ## The error of an operator that reads a body shows no token that the server repeats, also on another queue
        A key with a token in a line of JSON
        # APIBaseKitTests/Redaction/CallSecretsTests.swift
        ## The error of a redirect to a host that cannot be reached does not show a token in its name
        A redirect to a host that is named after the token
        ## An error does not show the secrets of earlier attempts of its call, as a token that was refused
        The token that was refused, and the one after it
        # APIBaseKitTests/OAuth/RepeatedOAuthSecretTests.swift
        ## An OAuthError shows the beginning of an endless explanation, and takes no longer for it
        An explanation of a megabyte
        # APIBaseRecordingTests/Redaction/RedactorTests.swift
        ## The redactor replaces secrets of a body in UTF-16 or UTF-32, and keeps its encoding
        JSON in UTF-16 or UTF-32 with a token
        ## The redactor removes the whole value of a cookie from the body, also with a comma, quoted or without a name
        A cookie with a comma, in quotes or without a name, which a body repeats
        # APIBaseKitTests/Errors/UndecodableReplyTests.swift
        ## A response of bytes that are no text is not called a text
        Bytes that are no text, as JSON
        # APIBaseKitTests/JSON/IndirectTests.swift
        ## A missing or null Indirect property is decoded as nil and not encoded
        Null where a member may be another value of its own type
        # APIBaseKitTests/JSON/DecoderMembersTests.swift
        ## A document in a text of another one is told apart from it, where both have the same choice at one place
        JSON in a text of another JSON
        # APIBaseInspectorTests/Calls/RepeatedSecretsTests.swift
        ## A recording and the inspector remove a secret that a server repeats, in any spelling
        A response that repeats the secret of an earlier request
        # APIBaseRecordingTests/Redaction/CodedBodyTests.swift
        ## A recording decodes a request body in gzip and deflate, and leaves one in another coding out with a comment
        A request body in `br` or `zstd`
        # APIBaseKitTests/Redaction/SecretNamesTests.swift
        ## Redaction hides headers for tokens, sessions, codes for one use, keys and signatures by their words
        Headers with signatures, such as `Stripe-Signature`
        """#
}
