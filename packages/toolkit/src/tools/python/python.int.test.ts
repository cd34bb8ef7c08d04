import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

const call: TestSession["call"] = (...given) => session.call(...given);
const text: TestSession["text"] = (...given) => session.text(...given);

describe("execute_python", () => {
  it("is ended when its time is up, with what it printed", async () => {
    const code = "import time\nprint('begun', flush=True)\ntime.sleep(60)";
    const late = await call("python_execute", { code, timeout: 0.3 });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/begun[\s\S]*0.3 s/) });
    expect(session.reports.at(-1)).toMatchObject({ language: "python", status: "timeout" });
  });

  it("hands figures on as pictures, by each of its names", async () => {
    const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()";
    for (const name of ["execute_python", "python_exec", "code_sandbox", "execute_python_script"]) {
      const { images } = await call(name, { code });
      expect(images).toMatchObject([{ mime: "image/png", base64: expect.stringMatching(/^iVBORw0KGgo/) }]);
    }
  });
});

describe("javascript_exec", () => {
  it("runs scripts and modules", async () => {
    expect(
      await text("javascript_exec", { code: "const os = require('node:os'); console.log(typeof os.cpus)" }),
    ).toBe("function");
    expect(
      await text("javascript_execute", { code: "import { sep } from 'node:path';\nconsole.log(await sep)" }),
    ).toBe("/");
    expect(await text("javascript_exec", { code: "const x = await 5;\nconsole.log(x)" })).toBe("5");
  });

  it("tells errors and exit codes, and is ended when its time is up", async () => {
    const failed = await call("javascript_exec", { code: "console.log('a'); process.exit(3)" });
    expect(failed).toMatchObject({ isError: true, text: "a\n[Exit code 3]" });
    expect((await call("javascript_exec", { code: "process.exit(127)" })).text).toBe(
      "(no output)\n[Exit code 127]",
    );
    expect((await call("javascript_exec", { code: "throw new Error('坏')" })).text).toContain("Error: 坏");
    const late = await call("javascript_exec", { code: "setInterval(() => {}, 9)", timeout_seconds: 0.5 });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining("0.5 s") });
  });
});

/** A wheel is a zip file with three files of metadata. */
const makeWheel = `
import zipfile
with zipfile.ZipFile("atoll_probe-1.0-py3-none-any.whl", "w") as wheel:
    info = "atoll_probe-1.0.dist-info"
    wheel.writestr("atoll_probe.py", "answer = 42\\ndef main(): print('probed')\\n")
    wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: atoll-probe\\nVersion: 1.0\\n")
    wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "/entry_points.txt", "[console_scripts]\\natoll-probe = atoll_probe:main\\n")
    wheel.writestr(info + "/RECORD", "")
`;

describe("pip_install", () => {
  it("installs a wheel of the workspace for the kernel, the shell and a later kernel", async () => {
    await text("execute_python", {
      code: `${makeWheel}\ntry:\n    import atoll_probe\nexcept ImportError: print("no")`,
    });
    const said = await text("pip_install", { packages: ["./atoll_probe-1.0-py3-none-any.whl"] });
    expect(said).toContain("Successfully installed atoll-probe-1.0");
    const code = "import atoll_probe; print(atoll_probe.answer, atoll_probe.__file__)";
    expect(await text("execute_python", { code })).toMatch(/^42 \/workspace\/\.local\/lib\//);
    expect(
      await text("execute_shell", {
        command: "python3 -c 'import atoll_probe; print(atoll_probe.answer)'; atoll-probe",
      }),
    ).toBe("42\nprobed");
    await session.sandbox.python.restart();
    expect(await text("execute_python", { code: "import atoll_probe; atoll_probe.answer" })).toBe("42");
    expect(await text("pip_install", { packages: ["atoll-probe"] })).toContain("already satisfied");
  });

  it("says that the network policy is in the way", async () => {
    const output = await call("pip_install", { packages: ["atoll-no-such-package"] });
    expect(output).toMatchObject({
      isError: true,
      text: expect.stringContaining("network policy does not allow"),
    });
  });

  it("takes no options and no shell", async () => {
    expect(await call("pip_install", { packages: ["-r", "/etc/passwd"] })).toMatchObject({
      isError: true,
      text: expect.stringContaining("not an option"),
    });
    await call("pip_install", { packages: ["x; touch /workspace/pwned"] });
    expect(await session.sandbox.files.exists("pwned")).toBe(false);
  });
});

describe("a PDF", () => {
  it("is read page by page", async () => {
    const code = `
import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
with PdfPages("doc.pdf") as pdf:
    for text in ("Revenue of spring", "Revenue of autumn"):
        figure = plt.figure(); figure.text(0.1, 0.5, text); pdf.savefig(figure); plt.close(figure)`;
    await text("execute_python", { code });
    expect(await text("file_read", { file: "doc.pdf" })).toMatch(
      /^1\t\[Page 1\]\n2\tRevenue of spring\n3\t\[Page 2\]\n4\tRevenue of autumn$/,
    );
    expect(await text("file_read", { file: "doc.pdf", start_line: 4 })).toBe("4\tRevenue of autumn");
  });

  it("that nothing can read is handed on as it is", async () => {
    await text("file_write", { file: "broken.pdf", content: "%PDF-1.7\nnothing of a PDF follows" });
    const output = await call("file_read", { file: "broken.pdf" });
    expect(output.text).toContain("nothing in the sandbox can read its text");
    expect(output.files).toMatchObject([
      { name: "broken.pdf", mime: "application/pdf", base64: expect.stringMatching(/^JVBERi0/) },
    ]);
  });
});
