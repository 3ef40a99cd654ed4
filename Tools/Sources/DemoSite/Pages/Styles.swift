/// The site's style sheets: three that the build hashes, and one that it does not.
enum Styles {
    /// Sources of the hashed sheets. Only `components.css` differs between versions.
    static func sources(version: Int) -> [ChunkSource] {
        [
            ChunkSource("base.css", text: base),
            ChunkSource("components.css", text: components + (version == 1 ? "" : secondVersion)),
            ChunkSource("fonts.css", text: fonts),
        ]
    }

    /// `/static/theme.css`: the colours, in a file without a hash in its name.
    static let theme = """
        :root { --accent: #1e6b3c; --accent-soft: #dcebd8; --accent-ink: #ffffff; --sun: #f2b13c; }
        @media (prefers-color-scheme: dark) {
          :root { --accent: #86d39a; --accent-soft: #223527; --accent-ink: #0d1a11; --sun: #f0b64e; }
        }

        """

    private static let fonts = """
        @font-face {
          font-family: "\(Artwork.fontFamily)";
          src: url("~/pantry.ttf") format("truetype");
          font-display: block;
        }
        .headline { font: 400 30px/1.02 "\(Artwork.fontFamily)", "Courier New", monospace; text-transform: uppercase; }
        .headline.small { font-size: 24px; }

        """

    private static let base = """
        :root {
          color-scheme: light dark;
          --ground: #f6f4ed; --card: #ffffff; --ink: #1c281f; --quiet: #66725f; --line: #e6e3d8;
          --shadow: 0 1px 2px rgb(40 50 30 / .06), 0 8px 24px rgb(40 50 30 / .07);
        }
        :root.settling { --ground: #f6f4ee; --card: #fffffe; --accent-soft: #dcebd9; }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0f1511; --card: #19211b; --ink: #eef3ea; --quiet: #9aa797; --line: #29332b;
            --shadow: 0 0 0 1px rgb(255 255 255 / .04);
          }
          :root.settling { --ground: #0f1512; --card: #19211c; --accent-soft: #223528; }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; scrollbar-width: none; }
        ::-webkit-scrollbar { display: none; }
        body {
          margin: 0; background: var(--ground); color: var(--ink); -webkit-font-smoothing: antialiased;
          font: 15px/1.45 Inter, "SF Pro Text", -apple-system, "Helvetica Neue", "Liberation Sans", "DejaVu Sans",
            sans-serif;
          padding-bottom: 84px;
        }
        a { color: inherit; text-decoration: none; }
        img, video { display: block; }
        h1, h2, h3, p { margin: 0; }
        h2 { font-size: 18px; line-height: 1.25; letter-spacing: -.01em; }
        button, input { font: inherit; color: inherit; }
        button:focus-visible, a:focus-visible, input:focus-visible {
          outline: 2px solid var(--accent); outline-offset: 2px;
        }
        svg.icon {
          width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round;
          stroke-linejoin: round; flex: none;
        }
        .wrap { padding: 0 16px; }
        .quiet { color: var(--quiet); }

        """

    private static let components = """
        .bar {
          position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 12px; padding: 10px 16px;
          background: var(--ground);
        }
        .brand {
          display: flex; align-items: center; gap: 8px; font-weight: 700; font-size: 18px; letter-spacing: -.02em;
        }
        .search {
          flex: 1; min-width: 0; display: flex; align-items: center; gap: 8px; height: 40px; padding: 0 14px;
          border-radius: 20px; background: var(--card); color: var(--quiet); box-shadow: var(--shadow);
        }
        .search svg { width: 18px; height: 18px; }
        .search input {
          flex: 1; min-width: 0; border: 0; background: none; outline: 0; font-size: 14px; color: var(--ink);
        }
        .search input::placeholder { color: var(--quiet); opacity: 1; }
        .search input::-webkit-search-cancel-button { display: none; }
        .round {
          position: relative; width: 40px; height: 40px; border-radius: 20px; background: var(--card);
          display: grid; place-items: center; box-shadow: var(--shadow);
        }
        .round b {
          position: absolute; top: -3px; right: -3px; min-width: 18px; height: 18px; border-radius: 9px; padding: 0 4px;
          background: var(--accent); color: var(--accent-ink); font-weight: 700; font-size: 11px;
          line-height: 18px; text-align: center;
        }
        .hero {
          position: relative; margin: 4px 16px 0; height: 206px; border-radius: 24px; overflow: hidden;
         
        }
        .hero img { width: 100%; height: 100%; object-fit: cover; }
        .hero div { position: absolute; inset: 18px 18px auto; color: #23361f; }
        .hero p { font-size: 13px; font-weight: 600; margin-bottom: 7px; }
        .strip {
          display: flex; align-items: center; gap: 12px; margin: 12px 16px 0; padding: 10px 14px; border-radius: 16px;
          background: var(--accent-soft); font-size: 14px; line-height: 1.35; min-height: 56px;
        }
        .strip img { width: 36px; height: 36px; flex: none; }
        .strip strong { display: block; }
        .chips { display: flex; gap: 8px; padding: 14px 16px 2px; overflow-x: auto; scrollbar-width: none; }
        .chips a {
          flex: none; padding: 7px 14px; border-radius: 18px; background: var(--card); font-size: 14px;
          font-weight: 500;
          border: 1px solid var(--line);
        }
        .chips a:first-child { background: var(--ink); border-color: var(--ink); color: var(--ground); }
        .heading { display: flex; align-items: baseline; justify-content: space-between; margin: 16px 0 10px; }
        .heading a { color: var(--accent); font-size: 14px; font-weight: 600; }
        .grid { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
        .card {
          position: relative; background: var(--card); border-radius: 20px; overflow: hidden;
          box-shadow: var(--shadow);
        }
        .card img { width: 100%; aspect-ratio: 5 / 4; height: auto; }
        .card[hidden] { display: none; }
        .card div { padding: 10px 12px 12px; }
        .card h3 {
          font-size: 15px; font-weight: 600; line-height: 1.3; white-space: nowrap; overflow: hidden;
          text-overflow: ellipsis;
        }
        .card small { display: block; font-size: 12.5px; color: var(--quiet); }
        .card strong { display: block; margin-top: 8px; font-size: 16px; line-height: 30px; }
        .plus {
          position: absolute; right: 10px; bottom: 12px; width: 32px; height: 32px; border: 0;
          border-radius: 16px; padding: 0;
          background: var(--accent); color: var(--accent-ink); display: grid; place-items: center;
        }
        .plus svg { width: 18px; height: 18px; stroke-width: 2.4; }
        .panel {
          margin-top: 22px; background: var(--card); border-radius: 24px; overflow: hidden;
          box-shadow: var(--shadow);
        }
        .film img { width: 100%; height: auto; aspect-ratio: 16 / 9; }
        .film video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
        @media (prefers-color-scheme: dark) {
          .hero img, .card img, .picture img, .row img { filter: brightness(.88); }
        }
        .panel > .text, .panel > form { padding: 16px; }
        .panel p { margin-top: 4px; color: var(--quiet); font-size: 14px; }
        .file {
          display: flex; align-items: center; gap: 12px; margin: 14px 0 12px; padding: 14px; border-radius: 16px;
          border: 1.5px dashed var(--line); color: var(--quiet); font-size: 14px;
        }
        .file input { position: absolute; opacity: 0; width: 1px; height: 1px; }
        .film { position: relative; }
        .film svg { position: absolute; left: 50%; top: 50%; width: 56px; height: 56px; margin: -28px; }
        .button {
          display: block; width: 100%; height: 48px; border: 0; border-radius: 24px; background: var(--accent);
          color: var(--accent-ink); font-weight: 600; text-align: center; line-height: 48px; padding: 0;
        }
        .tabs {
          position: fixed; left: 0; right: 0; bottom: 0; z-index: 2; display: flex; padding: 8px 8px 14px;
          background: var(--card); border-top: 1px solid var(--line);
        }
        .tabs a {
          flex: 1; display: grid; justify-items: center; gap: 2px; font-size: 11px; font-weight: 500;
          color: var(--quiet);
        }
        .tabs a[aria-current] { color: var(--accent); }
        .foot { padding: 24px 16px 16px; font-size: 12.5px; color: var(--quiet); text-align: center; }
        .foot a { text-decoration: underline; }
        .picture { margin: 4px 16px 0; border-radius: 24px; overflow: hidden; }
        .picture img { width: 100%; height: auto; aspect-ratio: 5 / 4; }
        .title {
          display: flex; justify-content: space-between; align-items: flex-start; gap: 12px; margin: 18px 0 4px;
        }
        .title strong { font-size: 20px; white-space: nowrap; }
        .facts { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px; margin: 16px 0; }
        .facts div {
          background: var(--card); border-radius: 14px; padding: 10px 4px; text-align: center; font-weight: 600;
        }
        .facts small { display: block; color: var(--quiet); font-size: 11.5px; font-weight: 400; }
        .row {
          display: flex; align-items: center; gap: 12px; padding: 10px; background: var(--card);
          border-radius: 18px; margin-top: 10px;
        }
        .row img { width: 72px; height: 58px; border-radius: 12px; }
        .row div { flex: 1; min-width: 0; }
        .row small { display: block; color: var(--quiet); font-size: 12.5px; }
        .total {
          display: flex; justify-content: space-between; padding: 18px 4px 14px; font-size: 17px; font-weight: 600;
        }

        """

    private static let secondVersion = """
        .strip { background: var(--sun); color: #2a1c05; }
        .tag {
          position: absolute; top: 10px; right: 10px; padding: 3px 9px; border-radius: 11px; background: var(--sun);
          color: #2a1c05; font-size: 11.5px; font-weight: 700;
        }

        """
}
