import Testing

@Suite("HashedName: what is refused, kind by kind")
struct HashedNameRefusalTests {
    static let rows =
        HashedNameRow.table(
            "constructed: days and times",
            """
            /assets/report-20240131.css
            /static/js/app.20231224.js
            /assets/backup-2024-01-31.js
            /static/build.202401311530.js
            /assets/20240131.js
            /us/wu/571327/onsite/generic1641409953389.js
            /assets/homepage/20150828-152658/js/foundation/hosts.js
            /static/log-1700000000.js
            """)
        + HashedNameRow.table(
            "constructed, and public CDNs: versions",
            """
            /js/jquery-3.7.1.min.js
            /static/v1.2.3-beta.4.js
            /bokeh/3.8.1/bokeh-3.8.1.min.js
            /npm/vue@3.4.21/dist/vue.global.prod.js
            /ajax/libs/lodash.js/4.17.21/lodash.min.js
            /assets/react-dom-18.3.1-canary-20240131.js
            /static/swagger-ui-4.15.5/swagger-ui.css
            /assets/app-1.0.0-alpha01.js
            """)
        + HashedNameRow.table(
            "constructed, and the applications: numbers and sizes",
            """
            /static/1234567890.jpg
            /assets/12345678.js
            /static/img/photo-1920x1080.jpg
            /static/icons/icon-512x512.png
            /static/icons/maskable_icon-384x384.png
            /sites/content/js/2600013692779
            /wwwstatic/javascript/modules/wcs/2600006613606.js
            /assets/item-00000001.js
            /wp-content/uploads/2023/02/mango2-1024x575.png
            /static/1581.voila.js
            """)
        + HashedNameRow.table(
            "constructed, and public pages: UUIDs (RFC 9562 section 4)",
            """
            /static/21794668-1e4a-4208-841a-854fd8a9ca6a.js
            /assets/486a230a-d681-4a0a-82c4-f3a434e10b64.png
            /s/files/1/1353/1137/files/64562323_41f54904-4bd4-4f3c-b17e-2733c9232c55.webp
            /images/images/95b262a2-6983-4452-86fa-95c8ffe838c7.png
            /assets/thumb-3bcdf98a-28d1-4100-ae65-81e5b902ca70.webp
            /static/217946681e4a4208841a854fd8a9ca6a.js
            /assets/018f3c5e7b2a7c3d9e4f0a1b2c3d4e5f.png
            /_nuxt/builds/meta/22c0857c-67e6-4065-b34c-27e7ee3dc3a6.json
            /_next/static/chunks/22c0857c-67e6-4065-b34c-27e7ee3dc3a6.js
            """)
        + HashedNameRow.table(
            "constructed: identifiers of APIs, commits and sessions",
            """
            /api/repos/x/commits/831d23e56149cd59c40fc00c7feb7c5334bd19c4
            /api/repos/x/commits/831d23e56149cd59c40fc00c7feb7c5334bd19c4.json
            /api/v1/assets/7a7c16399b1d24d1a7fed3df20921d38.json
            /api/files/app-5d60c2ed348e2db0.js
            /graphql/static/5d60c2ed348e2db0.json
            /x/y/commit/80aa709f5d919c6814726788dc6dabe23e79e672
            /x/y/commit/80aa709f5d919c6814726788dc6dabe23e79e672.patch
            /x/y/raw/80aa709f5d919c6814726788dc6dabe23e79e672/main.js
            /session/7a7c16399b1d24d1a7fed3df20921d38
            /objects/65fa96c2d61902ef2307b5f7.json
            /static/65fa96c2d61902ef2307b5f7.js
            /rpc/app.5d60c2ed348e2db0.js
            """)
        + HashedNameRow.table(
            "constructed: words of hexadecimal letters",
            """
            /assets/theme-facade.js
            /assets/list-decade.css
            /static/page.defaced.js
            /assets/view-effaced.js
            /assets/app-deadbeef.js
            /static/js/cafebabe.js
            /assets/menu-feedface.css
            /assets/fade-feed2024.js
            /static/cafe2023.js
            /assets/model-a1234567.js
            /assets/panel-1234567f.js
            """)
        + HashedNameRow.table(
            "constructed: words of eight letters",
            """
            /assets/vendor-bootstrap.js
            /assets/index-component.css
            /assets/page-settings.js
            /assets/chunk-Settings.js
            /assets/my-UserCard.vue.js
            /assets/UserCard.js
            /assets/base-Calendar.js
            /assets/base-Dropdown.css
            /assets/ui-Checkbox.js
            /assets/the-Carousel.js
            /assets/use-useQuery.js
            /assets/db-PostgreS.js
            /assets/lib-ReactDOM.js
            /assets/lib-reactDom.js
            /assets/view-HTMLView.js
            /assets/view-HtmlView.js
            /assets/icon-iOSShare.js
            /assets/is-camelCas.js
            /assets/page-Page_Two.js
            /assets/to-UInt8Arr.js
            """)
        + HashedNameRow.table(
            "constructed, and program identifiers: words with digits",
            """
            /assets/font-Bold700.woff2
            /assets/font-SemiBold.woff2
            /assets/text-Heading1.css
            /assets/a-Section2.js
            /assets/lib-base64js.js
            /assets/lib-wav2vec2.js
            /assets/lib-Wav2Vec2.js
            /assets/lib-heic2any.js
            /assets/lib-char16_t.js
            /assets/lib-initI18n.js
            /assets/lib-i18nType.js
            /assets/lib-float64x.js
            /assets/lib-TAILWIND.css
            /assets/doc-RELEASE2.js
            /assets/x-WINDOWS7.css
            /assets/x-OFFSETS3.js
            /assets/svg-xMidYMid.js
            /assets/svg-xMinYMin.js
            /assets/lib-getTForX.js
            /assets/lib-linux64x.js
            /static/ed25519.min.js
            """)
        + HashedNameRow.table(
            "constructed, and the applications: languages and scripts",
            """
            /static/lang/zh-Hans-CN.js
            /static/lang/zh-Hant.json
            /static/lang/az-Latn.umd.prod.js
            /static/lang/es-419.json
            /static/lang/sr-Latn-RS.json
            /static/locale/pt-BR.js
            """)
        + HashedNameRow.table(
            "constructed, and public pages: people's uploads, and content outside folders for assets",
            """
            /images/avatar-a1b2c3d4.png
            /avatar-a1b2c3d4.png
            /static/uploads/7a7c16399b1d24d1a7fed3df20921d38.png
            /assets/avatars/user-a1b2c3d4.png
            /images/event/lucky/cf0f4bd3da6d443db222adff9e1fc842.png
            /media/photo.5d60c2ed348e2db0.jpg
            /static/uploads/1761394043.501005_SAVE_20230822_183825.jpg
            /images/thumbs/65fa96c2d61902ef2307b5f7_Ifad-Eggy.webp
            /photos/aB3xK9qZ.jpg
            /data/5d60c2ed348e2db0.json
            """)
        + HashedNameRow.table(
            "constructed: files that are no static resource",
            """
            /static/report.5d60c2ed348e2db0.pdf
            /static/page.5d60c2ed348e2db0.html
            /static/app.5d60c2ed348e2db0.php
            /static/app.5d60c2ed348e2db0
            /static/5d60c2ed348e2db0/
            /static/.5d60c2ed348e2db0
            /

            ?
            /static/
            .js
            /.js
            /static/.min.js
            /static/js
            /a?b=/static/app.5d60c2ed348e2db0.js
            /a#/static/app.5d60c2ed348e2db0.js
            """)
        + HashedNameRow.table(
            "constructed: slots of the wrong length or separator",
            """
            /static/app.5d60c2ed3.js
            /static/app.5d60c2ed348e2db.js
            /static/app.5d60c2ed348e2db01.js
            /static/app_5d60c2ed.js
            /static/app+5d60c2ed348e2db0.js
            /static/app5d60c2ed348e2db0.js
            /static/app.5D60C2ED348E2DB0.js
            /assets/Index-Akn07EZk2.js
            /assets/app%2D5d60c2ed.js
            /5d60c2ed.js
            /B1tBg_DP.js
            /files/immutable/UserCard.js
            /_next/static/chunks/12345678.js
            /static/js/12345678.chunk.js
            /_next/static/chunks/pages/post-12345678.js
            /_next/static/chunks/node_modules_x-3d_src_8fa1._.js
            /_next/static/chunks/node_modules_next_dist_1f3a2b4c._.js
            /static/main.5d60c2ed348e2db0.hot-update.js
            /_next/static/chunks/ab176ztuhghbfr1.js
            /assets/3WP5KDHR.js
            /assets/lib.0nb3y211.js
            /@assets/photo.5d60c2ed348e2db0.jpg
            /-static/photo.5d60c2ed348e2db0.jpg
            """)

    @Test("nothing is taken for a hash", arguments: rows)
    func names(_ row: HashedNameRow) {
        row.check()
    }
}
