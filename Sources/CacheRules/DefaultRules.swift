import HTTPTypes

extension Rule {
    /// Without a network the store answers everything, at any age: a page that opens beats one that does not.
    public static let disconnected = Rule("disconnected", .onlyIfStored, when: .connectivity(.disconnected))
    /// The name of the rule for hosts that publishers have turned off from afar.
    package static let turnedOffName = "turned-off"
    package static let turnedOffWords = "Its publisher has turned its host off, by a signed manifest."
}

extension RuleList {
    /// Put these before your own rules: without a network the store answers everything, requests with credentials,
    /// sign-in and payment bypass the store, and endless streams are not stored. The first part of ``webViewDefaults``.
    public static let webViewSafeguards = RuleList {
        Rule.disconnected

        signInAndPayment

        // An endless stream is only valid live. Its request gets `bypass`, not `never-store`: a field that a page sends
        // must not remove a response that is stored under another page's address.
        Rule("event-stream-request", .bypass, when: .requestHeader(.accept, "*text/event-stream*"))
        Rule("event-stream", .neverStore, when: .contentType("text/event-stream", "multipart/x-mixed-replace"))
    }

    /// The defaults for web views, in order of precedence; what `open`, `demo` and apps run.
    ///
    /// Put your own rules between ``webViewSafeguards`` and these: a rule that occurs twice counts once, at its first
    /// place.
    ///
    /// Each can be replaced or removed by its name: `.webViewDefaults.replacing("api-path", with: …)`,
    /// `.webViewDefaults.removing("html")`. None has ``Rule/ignoring``: they respect what the origin forbids.
    ///
    /// Queries of campaigns make no document of its own, nor spellings of escapes another address: key rules
    /// `campaign-query` and `equivalent-escapes`. A list that includes this one in Swift does not bring them along.
    public static let webViewDefaults = webViewRules.keyed(
        by: KeyRule("campaign-query", dropsTracking: true, normalizesEscapes: true, when: .destination(.document)),
        KeyRule("equivalent-escapes", normalizesEscapes: true))

    private static let webViewRules = RuleList {
        webViewSafeguards

        // Responses of such paths are personal or short-lived; without explicit freshness they are not stored. Other
        // names that end or begin with "api" are as often those of manuals: /rest-api/, /web-api/, /api-docs/. A
        // manual at /api/ itself is a page, with files.
        Rule("api-path", .storeOnlyIfExplicit) {
            When.pathPrefix("/api/", "/ajax-api/", "/user/", "/realtime/")
            When.not(
                .any(
                    .destination(.document, .iframe, .style, .font),
                    .all(.destination(.script), .fileExtension("js", "mjs"))))
        }

        // New content gets a new name, so a response stored under this one stays correct. The engine compares: it
        // distrusts a host that sends other bytes under such a name.
        Rule("hashed-name", .permanent, when: .hashedName())

        // After a deploy the new page must not get the old files.
        Rule("older-than-page", .networkFirst(timeout: nil), when: .freshness(.olderThanPage))

        staticFiles

        // Where an address leads is asked each time; without a network the last answer leads there, so that `/` opens
        // where it stands for `/en/`. The engine puts no redirect that it keeps so in a page's place.
        Rule("redirect", .networkFirst(timeout: nil)) {
            When.responseHeader(.location)
            When.any(.freshness(.unstated), .freshness(.noCache))
        }

        // A page that states no freshness is asked about at each visit: heuristics would show the old one for days
        // after a deploy (RFC 9111 §4.2.2 leaves them to the cache).
        Rule("html-unstated", .networkFirst(timeout: nil)) {
            page
            When.freshness(.unstated)
        }

        // Else its own terms decide. An error in its place is passed on only where no page is stored.
        Rule("html", .staleIfError(for: errorWindow)) { page }

        // So it is with files that state their freshness.
        Rule("static-error", .staleIfError(for: errorWindow)) {
            When.fileExtension(staticKinds.flatMap(\.extensions))
        }
    }

    private static let page = When.any(
        .destination(.document, .iframe), .contentType("text/html", "application/xhtml+xml"))

    /// How long after it went stale a response may take the place of a 500, 502, 503 or 504: a year.
    private static let errorWindow = Duration.seconds(365 * 86_400)

    /// Sign-in and payment: each step is valid once, so it is neither looked up nor stored.
    private static let signInAndPayment = RuleList {
        // Credentials in the client's request: few servers say `Vary` for those in a field of their own.
        Rule(
            "authorization", .bypass,
            when: .any(
                ["Authorization", "X-Auth-Token", "X-Access-Token", "Access-Token", "X-Session-Token", "X-User-Token"]
                    .compactMap { HTTPField.Name($0).map { When.requestHeader($0) } }))

        Rule("sign-in-host", .bypass) {
            When.host(
                "accounts.google.com", "appleid.apple.com", "idmsa.apple.com", "login.microsoftonline.com",
                "login.live.com", "*.b2clogin.com", "*.ciamlogin.com", "login.yahoo.com", "login.salesforce.com",
                "signin.aws.amazon.com", "*.signin.aws.amazon.com", "*.amazoncognito.com", "*.auth0.com", "*.okta.com",
                "*.onelogin.com", "*.duosecurity.com", "id.atlassian.com", "auth.atlassian.com", "id.twitch.tv",
                "open.weixin.qq.com", "openauth.alipay.com")
        }
        // RFC 6749 §3.1 and §3.1.2, OpenID Connect Core §3.1.2: usual paths of these endpoints.
        Rule("sign-in-path", .bypass) {
            When.path(
                "**/authorize", "/oauth2/**", "/o/oauth2/**", "/*/oauth2/v2.0/**", "**/protocol/openid-connect/**",
                "**/dialog/oauth", "**/oauth/*/authorization", "/ap/oa", "/ap/signin", "/.auth/login/**",
                "**/oauth/callback", "**/oauth2/callback", "**/auth/callback", "**/auth/callback/*",
                "**/auth/*/callback", "**/login/callback", "/login/oauth2/code/*", "**/signin-oidc", "**/signout-oidc")
        }
        Rule("sign-in-query", .bypass) {
            When.any(
                // The authorization request and its answer: RFC 6749 §4.1.1 to §4.1.2.1.
                .all(.query("client_id"), .query("response_type")), .all(.query("code"), .query("state")),
                .all(.query("error"), .query("state")),
                // OAuth 1.0, RFC 5849 §2.2; SAML 2.0 Bindings §3.4.3 and §3.6.3; WS-Federation; CAS 3.0 §3.1.
                .query("oauth_token"), .query("oauth_verifier"), .query("SAMLRequest"), .query("SAMLResponse"),
                .query("SAMLart"), .query("wa", "wsignin1.0", "wsignout1.0"), .query("ticket", "ST-*"))
        }
        Rule("saml-path", .bypass) {
            When.path(
                "**/saml/acs", "**/saml/sso", "**/saml2/**", "**/Shibboleth.sso/**", "**/adfs/ls/**", "**/adfs/ls")
        }
        // Bearer tokens, often for one use: RFC 6750 §2.3 and the conventions of frameworks.
        Rule("token-in-query", .bypass) {
            When.any(
                .query("access_token"), .query("id_token"), .query("id_token_hint"), .query("refresh_token"),
                .query("auth_token"), .query("login_token"), .query("magic_token"), .query("otp"),
                .query("reset_password_token"), .query("confirmation_token"), .query("invitation_token"),
                .query("unlock_token"), .query("oobCode"), .query("token_hash"),
                // A page opened from a mail; files of some hosts have a permanent one.
                .all(.query("token"), .destination(.document)))
        }
        Rule("payment-host", .bypass) {
            When.host(
                "checkout.stripe.com", "hooks.stripe.com", "api.stripe.com", "pay.google.com", "www.paypal.com",
                "www.sandbox.paypal.com", "pay.klarna.com", "payments.klarna.com", "live.adyen.com", "pay.mollie.com",
                "secure.worldpay.com", "mclient.alipay.com", "wx.tenpay.com", "gateway.95516.com",
                // 3-D Secure: directory and access control servers.
                "*.cardinalcommerce.com", "*.arcot.com", "*.securesuite.net", "*.securesuite.co.uk",
                "*.touchtechpayments.com", "*.3dsecure.io", "*.modirum.com", "*.wlp-acs.com")
        }
        Rule("payment-path", .bypass) {
            When.path("/checkouts/**", "**/3ds/**", "**/3ds2/**", "**/3dsecure/**", "**/3d-secure/**", "**/threeds/**")
        }
        Rule("payment-query", .bypass) {
            When.any(
                .query("payment_intent_client_secret"), .query("setup_intent_client_secret"),
                .query("session_id", "cs_*"), .all(.query("paymentId"), .query("PayerID")), .query("token", "EC-*"))
        }
    }

    /// Static files by address and media type.
    private static let staticKinds: [(name: String, extensions: [String], types: [String])] = [
        ("script", ["js", "mjs"], ["text/javascript", "application/javascript", "application/x-javascript"]),
        ("style", ["css"], ["text/css"]),
        ("image", ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico"], ["image/*"]),
        (
            "font", ["woff2", "woff", "ttf", "otf"],
            [
                "font/*", "application/font-woff", "application/x-font-woff", "application/x-font-ttf",
                "application/octet-stream",
            ]
        ),
        ("module", ["wasm"], ["application/wasm"]),
    ]

    /// Files for which the origin states neither a lifetime nor that they must be validated: the store answers at once
    /// and validates in the background, for a month.
    private static let staticFiles = RuleList {
        for kind in staticKinds {
            Rule("static-\(kind.name)", .staleWhileRevalidate(for: .seconds(30 * 86_400))) {
                When.fileExtension(kind.extensions)
                When.contentType(kind.types)
                When.freshness(.unstated)
                // An old picture never has the text that the server asks for.
                if kind.name == "image" { When.not(.path("**/*captcha*")) }
            }
        }
        // Folders of build tools: also what has no usual extension, and data such as the words of a language.
        Rule("static-path", .staleWhileRevalidate(for: .seconds(30 * 86_400))) {
            When.path("**/{static,assets,dist}/**")
            When.contentType(
                staticKinds.flatMap(\.types) + [
                    "application/json", "application/xml", "text/xml", "text/plain", "video/*", "audio/*",
                    "application/pdf",
                ])
            When.freshness(.unstated)
        }
    }
}
