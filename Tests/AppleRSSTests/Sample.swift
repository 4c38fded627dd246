// swift-format-ignore-file
import APIBaseKit

/// The reply that the article about the feeds shows.
let sample = Data(#"""
    {
        "feed": {
            "title": "Top Free Apps",
            "id": "https://rss.applemarketingtools.com/api/v2/us/apps/top-free/2/apps.json",
            "author": {
                "name": "Apple",
                "url": "https://www.apple.com/"
            },
            "links": [
                {
                    "self": "https://rss.applemarketingtools.com/api/v2/us/apps/top-free/2/apps.json"
                }
            ],
            "copyright": "Copyright © 2023 Apple Inc. All rights reserved.",
            "country": "us",
            "icon": "https://www.apple.com/favicon.ico",
            "updated": "Mon, 1 May 2023 17:37:11 +0000",
            "results": [
                {
                    "artistName": "Temu",
                    "id": "1641486558",
                    "name": "Temu: Shop Like a Billionaire",
                    "releaseDate": "2022-08-31",
                    "kind": "apps",
                    "artworkUrl100": "https://is5-ssl.mzstatic.com/image/thumb/Purple116/v4/da/78/29/da7829de-6cdf-d3da-853f-24fb53186635/AppIcon-1x_U007emarketing-0-7-0-0-P3-85-220.png/100x100bb.png",
                    "genres": [],
                    "url": "https://apps.apple.com/us/app/temu-shop-like-a-billionaire/id1641486558"
                },
                {
                    "artistName": "Bytedance Pte. Ltd",
                    "id": "1500855883",
                    "name": "CapCut - Video Editor",
                    "releaseDate": "2020-04-14",
                    "kind": "apps",
                    "artworkUrl100": "https://is4-ssl.mzstatic.com/image/thumb/Purple126/v4/9d/17/31/9d1731e5-bab9-31c6-7cc9-ba2cb0d7690f/AppIcon-0-0-1x_U007emarketing-0-0-0-7-0-0-sRGB-0-0-0-GLES2_U002c0-512MB-85-220-0-0.png/100x100bb.png",
                    "genres": [],
                    "url": "https://apps.apple.com/us/app/capcut-video-editor/id1500855883"
                }
            ]
        }
    }
    """#.utf8)
