// swift-format-ignore-file
import APIBaseKit

/// The photographer, who is also the sponsor.
private let user = #"""
    {
        "id": "2DC3GyeqWjI",
        "updated_at": "2020-09-23T12:37:30-04:00",
        "username": "xps",
        "name": "XPS",
        "first_name": "XPS",
        "last_name": null,
        "twitter_username": "Dell",
        "portfolio_url": "http://www.dell.com/xps",
        "bio": "Designed to be the best, with cutting edge technologies, exceptional build quality, unique materials and powerful features.",
        "location": null,
        "links": {
            "self": "https://api.unsplash.com/users/xps",
            "html": "https://unsplash.com/@xps",
            "photos": "https://api.unsplash.com/users/xps/photos",
            "likes": "https://api.unsplash.com/users/xps/likes",
            "portfolio": "https://api.unsplash.com/users/xps/portfolio",
            "following": "https://api.unsplash.com/users/xps/following",
            "followers": "https://api.unsplash.com/users/xps/followers"
        },
        "profile_image": {
            "small": "https://images.unsplash.com/profile-1600096866391-b09a1a53451aimage?ixlib=rb-1.2.1&q=80&fm=jpg&crop=faces&cs=tinysrgb&fit=crop&h=32&w=32",
            "medium": "https://images.unsplash.com/profile-1600096866391-b09a1a53451aimage?ixlib=rb-1.2.1&q=80&fm=jpg&crop=faces&cs=tinysrgb&fit=crop&h=64&w=64",
            "large": "https://images.unsplash.com/profile-1600096866391-b09a1a53451aimage?ixlib=rb-1.2.1&q=80&fm=jpg&crop=faces&cs=tinysrgb&fit=crop&h=128&w=128"
        },
        "instagram_username": "dell",
        "total_collections": 0,
        "total_likes": 0,
        "total_photos": 26,
        "accepted_tos": true
    }
    """#

/// The response that the article about Unsplash shows. It ends in empty objects, which are no photos.
let sample = Data(#"""
    [
        {
            "id": "yNvVnPcurD8",
            "created_at": "2020-07-01T18:31:27-04:00",
            "updated_at": "2020-09-23T18:18:50-04:00",
            "promoted_at": null,
            "width": 9600,
            "height": 5400,
            "color": "#F8FAFB",
            "blur_hash": "LKFiiZxu4m%N-;R%D%s;xu~qtSD%",
            "description": null,
            "alt_description": "laptop on brown wooden table",
            "urls": {
                "raw": "https://images.unsplash.com/photo-1593642632823-8f785ba67e45?ixlib=rb-1.2.1&ixid=eyJhcHBfaWQiOjMxMjcxfQ",
                "full": "https://images.unsplash.com/photo-1593642632823-8f785ba67e45?ixlib=rb-1.2.1&q=85&fm=jpg&crop=entropy&cs=srgb&ixid=eyJhcHBfaWQiOjMxMjcxfQ",
                "regular": "https://images.unsplash.com/photo-1593642632823-8f785ba67e45?ixlib=rb-1.2.1&q=80&fm=jpg&crop=entropy&cs=tinysrgb&w=1080&fit=max&ixid=eyJhcHBfaWQiOjMxMjcxfQ",
                "small": "https://images.unsplash.com/photo-1593642632823-8f785ba67e45?ixlib=rb-1.2.1&q=80&fm=jpg&crop=entropy&cs=tinysrgb&w=400&fit=max&ixid=eyJhcHBfaWQiOjMxMjcxfQ",
                "thumb": "https://images.unsplash.com/photo-1593642632823-8f785ba67e45?ixlib=rb-1.2.1&q=80&fm=jpg&crop=entropy&cs=tinysrgb&w=200&fit=max&ixid=eyJhcHBfaWQiOjMxMjcxfQ"
            },
            "links": {
                "self": "https://api.unsplash.com/photos/yNvVnPcurD8",
                "html": "https://unsplash.com/photos/yNvVnPcurD8",
                "download": "https://unsplash.com/photos/yNvVnPcurD8/download",
                "download_location": "https://api.unsplash.com/photos/yNvVnPcurD8/download"
            },
            "categories": [],
            "likes": 443,
            "liked_by_user": false,
            "current_user_collections": [],
            "sponsorship": {
                "impression_urls": [
                    "https://secure.insightexpressai.com/adServer/adServerESI.aspx?script=false&bannerID=7348942&rnd=[timestamp]&gdpr=&gdpr_consent=&redir=https://secure.insightexpressai.com/adserver/1pixel.gif",
                    "https://secure.insightexpressai.com/adServer/adServerESI.aspx?script=false&bannerID=7367766&rnd=[timestamp]&gdpr=&gdpr_consent=&redir=https://secure.insightexpressai.com/adserver/1pixel.gif"
                ],
                "tagline": "Designed to be the Best",
                "tagline_url": "http://www.dell.com/xps",
                "sponsor": \#(user)
            },
            "user": \#(user)
        },
        {},
        {},
        {}
    ]
    """#.utf8)
