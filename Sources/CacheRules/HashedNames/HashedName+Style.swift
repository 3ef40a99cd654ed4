extension HashedName {
    /// The naming convention of a hashed name: the tool if folder or alphabet identify it, else the
    /// shape of the hash.
    package enum Style: String, Hashable, Sendable, CaseIterable {
        /// Below `/_next/static/`: 16 or 20 hexadecimal digits, 8 for media. Names below the folder
        /// of one build, such as `_buildManifest.js`, contain no content hash.
        case nextJS = "next"
        /// Below `/_next/static/`: 13 characters of `0-9 a-z` (and, by version, `_ - ~ .`), a
        /// 64-bit number whose first digit is at most 3.
        case turbopack
        /// Below `/_nuxt/`: 7 (Nuxt 2) or 8 hexadecimal digits, or 8 characters of Rollup.
        case nuxt
        /// Below `/_app/immutable/`, where every file is hashed: 8 characters of Rollup.
        case svelteKit = "sveltekit"
        /// Rollup 4, Vite 5 and later, Rolldown, Astro: 8 characters of base64url after `-` or `.`.
        case rollup
        /// esbuild, and Angular 17 and later: 8 characters of `A-Z 2-7` after `-` or `.`.
        case esbuild
        /// Bun: 8 characters of `0-9 a-z` after `-`.
        case bun
        /// ASP.NET Core 9 and later: 10 characters of `0-9 a-z` after `.`.
        case aspNetCore = "asp-net-core"
        /// 8 hexadecimal digits: webpack and Rspack if configured so (Create React App, Vue CLI),
        /// Parcel 1 and 2, Vite 2 to 4, Propshaft, mkdocs-material.
        case hex8
        /// 10 hexadecimal digits: gulp-rev.
        case hex10
        /// 12 hexadecimal digits: Django's manifest storage after `.`, GitHub after `-`.
        case hex12
        /// 16 hexadecimal digits: Rspack, webpack with xxhash64, Angular 12 to 16.
        case hex16
        /// 20 hexadecimal digits: webpack 4 and 5, Gatsby.
        case hex20
        /// 32 hexadecimal digits: webpack's file-loader, Sprockets 2, Phoenix, Ember.
        case hex32
        /// 40 hexadecimal digits: SHA-1.
        case hex40
        /// 64 hexadecimal digits: Sprockets 3 and 4, Hugo.
        case hex64
        /// The value of a query item that the caller named.
        case queryItem = "query-item"
    }
}
