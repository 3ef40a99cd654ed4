"""Real applications from the Python package index, for the benchmarks: how each is started, and ended with its children."""
import os
import signal
import socket
import subprocess
import sys
import time

# The path of its page, and its command line in the folder that scripts/applications fills.
APPLICATIONS = {
    "mkdocs": ("/", ["/usr/bin/python3", "-m", "http.server", "PORT", "--bind", "127.0.0.1", "--directory", "mkdocs-site"]),
    "mlflow": ("/", ["mlflow/bin/mlflow", "server", "--workers", "1", "--host", "127.0.0.1", "--port", "PORT",
                     "--allowed-hosts", "*", "--backend-store-uri", "sqlite:///WORK/mlflow.db"]),
    "streamlit": ("/", ["streamlit/bin/streamlit", "run", "WORK/app.py", "--server.headless", "true",
                        "--server.address", "127.0.0.1", "--server.port", "PORT", "--browser.gatherUsageStats", "false"]),
    "jupyterlab": ("/lab", ["jupyterlab/bin/jupyter", "lab", "--no-browser", "--allow-root", "--ip", "127.0.0.1", "--port",
                            "PORT", "--notebook-dir", "WORK", "--IdentityProvider.token=",
                            "--ServerApp.allow_remote_access=true"]),
    "nicegui": ("/", ["nicegui/bin/python", "WORK/gui.py", "PORT"]),
    "tensorboard": ("/", ["tensorboard/bin/tensorboard", "--logdir", "WORK", "--host", "127.0.0.1", "--port", "PORT"]),
}
FILES = {
    "app.py": "import streamlit as st\nst.title('Greeting')\nst.text_input('Name')\n",
    "gui.py": "import sys\nfrom nicegui import ui\nui.label('Hello')\n"
              "ui.run(host='127.0.0.1', port=int(sys.argv[1]), reload=False, show=False)\n",
}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(name, port, environments, work):
    """Returns its process once it listens."""
    for file, text in FILES.items():
        with open(f"{work}/{file}", "w") as out:
            out.write(text)
    return run([part.replace("PORT", str(port)).replace("WORK", work) for part in APPLICATIONS[name][1]], port,
               environments, work)


def run(arguments, port, folder, work):
    server = subprocess.Popen(
        [os.path.join(folder, arguments[0]), *arguments[1:]], cwd=folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "HOME": work, "DO_NOT_TRACK": "true", "MLFLOW_DISABLE_TELEMETRY": "true"})
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server
        except OSError:
            if server.poll() is not None:
                sys.exit(f"{arguments[0]} has ended")
            time.sleep(0.2)


def end(server):
    os.killpg(server.pid, signal.SIGTERM)
    server.wait()
