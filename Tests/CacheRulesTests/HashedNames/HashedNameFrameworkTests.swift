import Testing

@Suite("HashedName: frameworks")
struct HashedNameFrameworkTests {
    static let rows =
        HashedNameRow.table(
            "Open WebUI 0.12.4: SvelteKit",
            """
            /_app/immutable/assets/ConfirmDialog.{DaQE45yT}.css sveltekit
            /_app/immutable/chunks/{7p9zqEKa}.js.map sveltekit
            /_app/immutable/chunks/{BGa1gOZk}.js.map sveltekit
            /_app/immutable/chunks/{BRHolxvo}.js sveltekit
            /_app/immutable/chunks/{BT43cFF4}.js.map sveltekit
            /_app/immutable/chunks/{BZnwt-nL}.js.map sveltekit
            /_app/immutable/chunks/{CHLpvVh8}.js sveltekit
            /_app/immutable/chunks/{D0YGMca9}.js sveltekit
            /_app/immutable/chunks/{DFXneXwc}.js sveltekit
            /_app/immutable/chunks/{DIeogL5L}.js.map sveltekit
            /_app/immutable/chunks/{DRgXsLdY}.js sveltekit
            /_app/immutable/chunks/{DhfaReJB}.js sveltekit
            /_app/immutable/chunks/{JnN8Fbid}.js sveltekit
            /_app/immutable/chunks/{Z8JUzqUV}.js sveltekit
            /_app/immutable/chunks/{vE_lwT2v}.js sveltekit
            /_app/immutable/nodes/14.{CA44-diL}.js.map sveltekit
            /assets/emojis/00ae.svg
            /assets/emojis/1f1fa-1f1e6.svg
            /assets/emojis/1f449.svg
            /assets/emojis/1f468-1f3fd-200d-2764-fe0f-200d-1f48b-200d-1f468-1f3fd.svg
            /assets/emojis/1f468-1f3fe-200d-2764-fe0f-200d-1f48b-200d-1f468-1f3fe.svg
            /assets/emojis/1f469-1f3fb-200d-2764-fe0f-200d-1f469-1f3fc.svg
            /assets/emojis/1f469-1f3fb-200d-2764-fe0f-200d-1f48b-200d-1f468-1f3fe.svg
            /assets/emojis/1f469-1f3fc-200d-2696-fe0f.svg
            /assets/emojis/1f469-1f3fc-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3fc.svg
            /assets/emojis/1f469-1f3fe-200d-2764-fe0f-200d-1f48b-200d-1f468-1f3fe.svg
            /assets/emojis/1f469-1f3fe-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3fb.svg
            /assets/emojis/1f469-1f3fe-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3fe.svg
            /assets/emojis/1f469-1f3fe-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3ff.svg
            /assets/emojis/1f469-1f3ff-200d-2764-fe0f-200d-1f48b-200d-1f469-1f3fe.svg
            /assets/emojis/1f471-1f3ff.svg
            /assets/emojis/1f4f3.svg
            /assets/emojis/1f5d3.svg
            """)
        + HashedNameRow.table(
            "SvelteKit server manifests",
            """
            /_app/immutable/entry/start.{qZOWCt6w}.js sveltekit
            /_app/immutable/entry/app.{Fpnp_VCn}.js sveltekit
            /_app/immutable/entry/start.{dffad178}.js sveltekit
            /_app/immutable/entry/start.{DiRjZJ8_}.js sveltekit
            /_app/immutable/entry/app.{Br8Rjagl}.js sveltekit
            /_app/immutable/entry/start.{5b1da876}.js sveltekit
            /_app/immutable/entry/app.{F74ZW3r3}.js sveltekit
            /_app/immutable/entry/app.{B6HF-4aT}.js sveltekit
            /_app/immutable/chunks/singletons.{29f4adf5}.js sveltekit
            /_app/version.json
            """)
        + HashedNameRow.table(
            "next.js pull requests 83193, 83814, 52606: webpack",
            """
            /_next/static/chunks/webpack-{9033d89fb26d0013}.js next
            /_next/static/chunks/234bef07-{f7a4e017861d98fa}.js next
            /_next/static/chunks/9304-{f80a9d2aec9dc26f}.js next
            /_next/static/chunks/main-app-{e42c987a38fcf28a}.js next
            /_next/static/chunks/pages/index-{a7fb71e5f6213aa9}.js next
            /_next/static/chunks/pages/_error-{8f4e796cc66bb887}.js next
            /_next/static/css/{ded6b86ab9cc0a1f}.css next
            /_next/static/chunks/pages/edge-ssr-{5745a64fa421cb05}.js next
            """)
        + HashedNameRow.table(
            "Next.js sites: webpack",
            """
            /_next/static/chunks/polyfills-{c67a75d1b6f99dc8}.js next
            /_next/static/chunks/framework-{ecc4130bc7a58a64}.js next
            /_next/static/chunks/main-{cb4281779d2d79ab}.js next
            /_next/static/chunks/69-{3c68098bb0599987}.js next
            /_next/static/chunks/e58627ac-{e3d73c64776bb36b}.js next
            /_next/static/media/nextjs.{e54be70c}.svg next
            /_next/static/media/SidebarLogo.{243d2948}.svg next
            /_next/static/media/shop.{4f5be11d}.jpg next
            /_next/static/media/footer-bg.{f6e76235}.svg next
            /_next/static/media/{e4af272ccee01ff0}-s.p.woff2 next
            /_next/static/uZOLAPI4DasMDHYL0Gd6F/_buildManifest.js
            /_next/static/xsxZ5rzuvh15M3-gvF9Xb/_ssgManifest.js
            /_next/data/32WiZ8ZfFE3k4sO-6Jx-h/index.json
            /_next/static/chunks/webpack.js
            /_next/static/chunks/pages/_app.js
            """)
        + HashedNameRow.table(
            "Next.js sites: Turbopack",
            """
            /_next/static/chunks/turbopack-{01ca012029ca2e66}.js next
            /_next/static/chunks/{de0b69ea5875b0af}.js next
            /_next/static/media/favicon.{7ed73651}.ico next
            /_next/static/chunks/turbopack-{3l1jj1uo0j4no}.js turbopack
            /_next/static/chunks/{1aahvactoqrt3}.js turbopack
            /_next/static/chunks/turbopack-{1a3p9-q531yr8}.js turbopack
            /_next/static/chunks/{0~e6i9nwvxzzi}.js turbopack
            /_next/static/chunks/{11vlk_b7odc0i}.js turbopack
            /_next/static/chunks/{176ztuhghbfr1}.js turbopack
            /_next/static/chunks/turbopack-{0ngnbt.drh_yz}.js turbopack
            /_next/static/chunks/turbopack-{164lj7fr~s_z4}.js turbopack
            /_next/static/chunks/turbopack-{0cnd1aif-5.wu}.js turbopack
            /_next/static/chunks/{17_9w9tewzqy1}.js turbopack
            /_next/static/media/1bffadaabf893a1e-s.{16ipb6fqu393i}.woff2 turbopack
            /_next/static/media/favicon.{2vob68tjqpejf}.ico turbopack
            /_next/static/chunks/{0q~2copru0zy0}.css turbopack
            /static/chunks/176ztuhghbfr1.js
            """)
        + HashedNameRow.table(
            "Nuxt issues 14444, 24764 and sites",
            """
            /_nuxt/404-{4705c76c}.mjs nuxt
            /_nuxt/ContentNavigation-{88760be3}.mjs nuxt
            /_nuxt/ProseBlockquote-{58dac16e}.mjs nuxt
            /_nuxt/portal.{661a49b8}.js nuxt
            /_nuxt/UForm.vue.{2c97aa17}.js nuxt
            /_nuxt/entry.{fe467655}.js nuxt
            /_nuxt/PageBuilder.vue.{32080754}.js nuxt
            /_nuxt/entry.{37e7cf93}.js nuxt
            /_nuxt/img/logo.{5417d9c}.svg nuxt
            /_nuxt/img/logo.{ca1ae0c}.png nuxt
            /_nuxt/img/logo.{7922285}.png nuxt
            /_nuxt/img/avatar.min.{92a14a2}.jpg nuxt
            /_nuxt/vendor.bundle.{01045e72fbd40cce6704}.js nuxt
            /_nuxt/builds/meta/dev.json
            /_nuxt/builds/latest.json
            /_nuxt/entry.js
            /_nuxt/app.js
            /_nuxt/50d7voHYhuKqnMKNznk3oEad6wr2C6dVyaABZ4e9MIY.mjs
            """)

    @Test("a folder of a reserved name tells the framework", arguments: rows)
    func names(_ row: HashedNameRow) {
        row.check()
    }
}
