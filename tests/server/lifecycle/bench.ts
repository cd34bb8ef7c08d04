import { DataFolder } from "../../support/data-folder.ts";
import type { ReceivedRequest, Reply, ScriptedOpenAI } from "../../support/scripted-openai/index.ts";
import { answer as say, startScriptedOpenAI } from "../../support/scripted-openai/index.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import type { ThreadUser } from "../../support/thread-user.ts";
import { modelEnvironment, python } from "../conversation/bench.ts";

/** A data folder, its servers one after the other, and a model that runs what it is told: the message is the code. */
export class LifecycleBench implements AsyncDisposable {
  readonly folder: DataFolder;
  readonly models: ScriptedOpenAI;

  static async create(name: string): Promise<LifecycleBench> {
    const [folder, models] = await Promise.all([DataFolder.create(name), startScriptedOpenAI()]);
    models.always(obey);
    return new LifecycleBench(folder, models);
  }

  private constructor(folder: DataFolder, models: ScriptedOpenAI) {
    this.folder = folder;
    this.models = models;
  }

  start(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    return this.folder.start({ env: { ...modelEnvironment(this.models), ...env } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
    await this.models.close();
  }
}

/** What the code printed. */
export async function run(user: ThreadUser, code: string): Promise<string> {
  const {
    code_runs: [codeRun],
    status,
    error,
  } = await user.ask(code);
  if (status !== "completed" || codeRun?.status !== "ok")
    throw new Error(`the code did not run: ${JSON.stringify({ error, codeRun })}`);
  return codeRun.output.replace(/^\[.*\]\n/, "").trim();
}

export async function stateOf(user: ThreadUser): Promise<string> {
  return (await user.client.threads.status(user.threadId)).sandbox_status;
}

/** A counter of /metrics: the sum of all samples with these labels. */
export async function countMetric(url: string, name: string, labels = ""): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split("\n");
  const samples = lines.filter((line) => line.startsWith(name) && line.includes(labels));
  return samples.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

function obey({ body }: ReceivedRequest): Reply {
  const last = body.messages.at(-1);
  if (last?.role !== "user") return say("Done.");
  const text = typeof last.content === "string" ? last.content : JSON.stringify(last.content);
  return text === "talk" ? say("Well.") : python(text);
}
