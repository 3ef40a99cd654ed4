import Testing

/// A web application that none of us wrote: how it is started, and what somebody does with it.
struct Application: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        case open(String)
        case back
        /// Something that is done in the page, and waited for.
        case act(String, _ script: String)
    }

    /// What is there when the server has gone.
    enum Offline: Sendable {
        /// All steps.
        case works
        /// What the page says.
        case says(String)
    }

    /// What its own design permits at the app-cache scheme.
    enum AtAppScheme: Sendable {
        /// All steps.
        case works
        /// All but this step and those that need it.
        case fails(at: String, because: String)
    }

    /// Its name in the Python package index.
    var name: String
    /// The program in the folder of its environment, and its arguments; `PORT`, `FOLDER` and `SITE` are filled in.
    var program: String
    var arguments: [String]
    /// Files that it needs in `FOLDER`.
    var files: [String: String] = [:]
    var environment: [String: String] = [:]
    /// `VISIT` in a path is another word for each visit.
    var steps: [Step]
    var offline: Offline
    var atAppScheme = AtAppScheme.works

    var testDescription: String { name }

    static let all = [handbook, mlflow, streamlit, jupyterLab, niceGUI, tensorBoard]

    /// Functions for the scripts of all steps.
    static let functions = """
        const say = () => document.body.innerText.replace(/\\s+/g, ' ').trim();
        const until = async (test, what) => {
          for (let round = 0; round < 600; round++) {
            let value;
            try { value = await test(); } catch {}
            if (value) return value;
            await new Promise(done => setTimeout(done, 100));
          }
          throw new Error(`never: ${what}; the page says: ${say().slice(0, 300)}`);
        };
        const find = (selector, text) => [...document.querySelectorAll(selector)].find(e => e.innerText.trim() === text);
        const type = (field, text) => {
          field.focus();
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
          field.dispatchEvent(new Event('input', {bubbles: true}));
        };
        const press = (field, key) => ['keydown', 'keypress', 'keyup'].forEach(type => field.dispatchEvent(
          new KeyboardEvent(type, {key, code: key, keyCode: 13, which: 13, bubbles: true, cancelable: true})));

        """

    /// A site of documents, with a search in a worker.
    private static let handbook = Application(
        name: "mkdocs-material", program: "/usr/bin/python3",
        arguments: ["-u", "-m", "http.server", "PORT", "--bind", "127.0.0.1", "--directory", "SITE"],
        steps: [
            .open("/"),
            .act("open", "await until(() => find('h1', 'index'), 'index');"),
            .act("leave", "setTimeout(() => document.querySelector('.md-content a[href*=install]').click());"),
            .act("navigate", "await until(() => find('h1', 'install'), 'install');"),
            .act(
                "type",
                """
                const field = await until(() => document.querySelector('.md-search__input'), 'field');
                field.focus();
                field.value = 'larder reference';
                field.dispatchEvent(new Event('keyup', {bubbles: true}));
                field.dispatchEvent(new Event('input', {bubbles: true}));
                await until(() => document.querySelector('.md-search-result__link[href*=reference]'), 'results');
                """),
            .back,
            .act("back", "await until(() => find('h1', 'index'), 'index');"),
        ], offline: .works)

    private static let mlflow = Application(
        name: "mlflow", program: "bin/mlflow",
        arguments: [
            "server", "--workers", "1", "--host", "127.0.0.1", "--port", "PORT", "--backend-store-uri",
            "sqlite:///FOLDER/mlflow.db", "--default-artifact-root", "FOLDER/artifacts",
        ], environment: ["MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"],
        steps: [
            .open("/"),
            .act("open", "await until(() => say().includes('Welcome to MLflow'), 'home');"),
            .act(
                "navigate", "find('a', 'Experiments').click(); await until(() => find('a', 'Default'), 'experiments');"),
            .act(
                "type",
                """
                const field = await until(() => document.querySelector('input[placeholder*="xperiments"]'), 'field');
                const search = text => { type(field, text); press(field, 'Enter'); field.form?.requestSubmit(); };
                search('nothing like it');
                await until(() => !find('a', 'Default'), 'no results');
                search('Def');
                await until(() => find('a', 'Default'), 'a result');
                """),
            .act(
                "open an experiment",
                """
                find('a', 'Default').click();
                await until(() => /experiments.[0-9]/.test(location.href) && say().includes('Traces'), 'experiment');
                """),
            .back,
            .act(
                "back",
                "await until(() => !/experiments.[0-9]/.test(location.href) && find('a', 'Default'), 'experiments');"),
        ], offline: .says("Welcome to MLflow"))

    /// A WebSocket, an upload with progress, and chunks of script for the chart.
    private static let streamlit = Application(
        name: "streamlit", program: "bin/streamlit",
        arguments: [
            "run", "FOLDER/app.py", "--server.headless", "true", "--server.address", "127.0.0.1", "--server.port",
            "PORT", "--browser.gatherUsageStats", "false",
        ],
        files: [
            "app.py": """
            import streamlit as st

            def greeting():
                st.title("Greeting")
                name = st.text_input("Name")
                if name:
                    st.write(f"Hello, {name}!")
                file = st.file_uploader("File")
                if file:
                    st.write(f"{len(file.getvalue())} bytes arrived")

            def numbers():
                st.title("Numbers")
                st.dataframe({"a": [1, 2, 3]})

            st.navigation([
                st.Page(greeting, title="Greeting", default=True), st.Page(numbers, title="Numbers"),
            ]).run()
            """
        ],
        steps: [
            .open("/"),
            .act("open", "await until(() => find('h1', 'Greeting'), 'greeting');"),
            .act(
                "type",
                """
                const field = await until(() => document.querySelector('input[aria-label=Name]'), 'field');
                type(field, 'Anna');
                press(field, 'Enter');
                field.blur();
                await until(() => say().includes('Hello, Anna!'), 'hello');
                """),
            .act(
                "upload",
                """
                const field = await until(() => document.querySelector('input[type=file]'), 'field');
                const files = new DataTransfer();
                files.items.add(new File(['12345'], 'a.txt', {type: 'text/plain'}));
                field.files = files.files;
                field.dispatchEvent(new Event('change', {bubbles: true}));
                await until(() => say().includes('5 bytes arrived'), 'upload');
                """),
            .act(
                "navigate",
                """
                find('a', 'Numbers').click();
                await until(() => find('h1', 'Numbers') && location.pathname.includes('numbers')
                  && document.querySelector('canvas'), 'numbers');
                """),
            .back,
            .act("back", "await until(() => find('h1', 'Greeting'), 'greeting');"),
        ], offline: .says("Skip to main content"),
        atAppScheme: .fails(
            at: "upload", because: "axios, with which it uploads, sends to a few schemes that it knows, and to no other"
        ))

    /// Chunks that are loaded at run time, REST by fetch, WebSockets to a kernel.
    private static let jupyterLab = Application(
        name: "jupyterlab", program: "bin/jupyter",
        arguments: [
            "lab", "--no-browser", "--ip", "127.0.0.1", "--port", "PORT", "--ServerApp.port_retries=0", "--allow-root",
            "--IdentityProvider.token=", "--ServerApp.root_dir=FOLDER", "--LabApp.expose_app_in_browser=True",
            "--LabApp.news_url=None",
        ], files: ["note.txt": "some text\n"],
        environment: ["JUPYTERLAB_WORKSPACES_DIR": "FOLDER/workspaces", "JUPYTERLAB_SETTINGS_DIR": "FOLDER/settings"],
        steps: [
            .open("/lab/workspaces/VISIT"),
            .act(
                "open",
                "await until(() => document.querySelector('.jp-LauncherCard') && window.jupyterapp, 'launcher');"),
            .act(
                "type and compute",
                """
                const panel = await jupyterapp.commands.execute('notebook:create-new', {kernelName: 'python3'});
                await panel.context.ready;
                await panel.sessionContext.ready;
                const cell = await until(() => panel.node.querySelector('.jp-Notebook .cm-content'), 'cell');
                cell.focus();
                document.execCommand('insertText', false, 'print(6*7)');
                await until(() => cell.innerText.includes('print(6*7)'), 'text');
                await jupyterapp.commands.execute('notebook:run-all-cells');
                await until(() => [...panel.node.querySelectorAll('.jp-OutputArea-output')]
                  .some(output => output.innerText.trim() === '42'), '42');
                sessionStorage.depth = history.length;
                """),
            .open("/lab/workspaces/VISIT-other/tree/note.txt"),
            .act(
                "navigate, edit and save",
                """
                const editor = await until(() => {
                  const editor = document.querySelector('.jp-FileEditor .cm-content');
                  return editor?.innerText.includes('some text') && editor;
                }, 'editor');
                editor.focus();
                document.execCommand('insertText', false, 'more and ');
                await jupyterapp.commands.execute('docmanager:save');
                const content = async () => (await (await fetch('/api/contents/note.txt?content=1')).json()).content;
                await until(async () => (await content()).includes('more and'), 'saved');
                """),
            // Back over what the application itself has put into the history.
            .act("leave", "setTimeout(() => history.go(sessionStorage.depth - history.length));"),
            .act(
                "back",
                "await until(() => !location.pathname.includes('-other') && document.querySelector('.jp-Notebook'), 'notebook');"
            ),
        ], offline: .says("Skip to main panel"),
        atAppScheme: .fails(
            at: "type and compute",
            because:
                "it makes the addresses of its WebSockets of the page's own by its leading `http`, so that it reaches no kernel"
        ))

    /// Hardly bundled: an import map and modules, socket.io, an upload by XMLHttpRequest.
    private static let niceGUI = Application(
        name: "nicegui", program: "bin/python", arguments: ["FOLDER/app.py", "PORT"],
        files: [
            "app.py": """
            import sys
            from nicegui import ui

            @ui.page('/')
            def greeting():
                ui.label('Greeting')
                said = ui.label()
                ui.input('Name', on_change=lambda event: said.set_text(f'Hello, {event.value}!'))

                async def arrived(event):
                    ui.label(f'{len(await event.file.read())} bytes arrived')
                ui.upload(on_upload=arrived, auto_upload=True)
                ui.link('Numbers', '/numbers')

            @ui.page('/numbers')
            def numbers():
                ui.label('Some numbers')
                ui.table(rows=[{'a': number} for number in range(3)])

            ui.run(host='127.0.0.1', port=int(sys.argv[1]), reload=False, show=False)
            """
        ],
        steps: [
            .open("/"),
            .act("open", "await until(() => say().includes('Greeting'), 'greeting');"),
            .act(
                "type",
                """
                const field = await until(() => document.querySelector('input[aria-label=Name]'), 'field');
                type(field, 'Anna');
                await until(() => say().includes('Hello, Anna!'), 'hello');
                """),
            .act(
                "upload",
                """
                const field = await until(() => document.querySelector('input[type=file]'), 'field');
                const files = new DataTransfer();
                files.items.add(new File(['12345'], 'a.txt', {type: 'text/plain'}));
                field.files = files.files;
                field.dispatchEvent(new Event('change', {bubbles: true}));
                await until(() => say().includes('5 bytes arrived'), 'upload');
                """),
            .act("leave", "setTimeout(() => find('a', 'Numbers').click());"),
            .act(
                "navigate",
                "await until(() => document.querySelector('td') && say().includes('Some numbers'), 'numbers');"),
            .back,
            .act("back", "await until(() => say().includes('Greeting'), 'greeting');"),
        ], offline: .says("You are offline"))

    /// Angular with zone.js behind a strict Content-Security-Policy, and names without hashes.
    private static let tensorBoard = Application(
        name: "tensorboard", program: "bin/python", arguments: ["FOLDER/board.py", "FOLDER/events", "PORT"],
        files: [
            "board.py": """
            import sys
            from tensorboard import main
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.compat.proto.summary_pb2 import Summary
            from tensorboard.summary.writer.event_file_writer import EventFileWriter

            folder, port = sys.argv[1:]
            writer = EventFileWriter(folder)
            for step in range(20):
                values = [Summary.Value(tag=tag, simple_value=1 / (step + 1)) for tag in ['loss', 'accuracy']]
                writer.add_event(Event(wall_time=1_700_000_000 + step, step=step, summary=Summary(value=values)))
            writer.close()
            sys.argv = ['tensorboard', '--logdir', folder, '--host', '127.0.0.1', '--port', port]
            sys.exit(main.run_main())
            """
        ],
        steps: [
            .open("/"),
            .act("open", "await until(() => say().includes('accuracy') && say().includes('loss'), 'cards');"),
            .act(
                "type",
                """
                const field = await until(() => document.querySelector('input[placeholder^="Filter tags"]'), 'field');
                type(field, 'accur');
                await until(() => say().includes('Tags matching filter') && !say().includes('loss'), 'one card');
                type(field, '');
                await until(() => say().includes('loss'), 'both cards');
                """),
            .act(
                "navigate",
                """
                const tab = [...document.querySelectorAll('[role=tab]')].find(e => e.textContent.trim() === 'scalars');
                tab.querySelector('[data-plugin-id]').click();
                await until(() => location.hash === '#scalars' && !say().includes('Pinned'), 'scalars');
                """),
            .back,
            .act("back", "await until(() => location.hash !== '#scalars' && say().includes('Pinned'), 'cards');"),
        ], offline: .says("TensorBoard"))
}
