import { parentPort } from "node:worker_threads";
import { readMessage } from "../read-message.ts";
import { suggestQuestions } from "../suggest.ts";
import type { Answer, Task } from "./protocol.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
parentPort?.on("message", (task: Task) => parentPort?.postMessage(answer(task)));

function answer(task: Task): Answer {
  try {
    const value =
      task.kind === "read"
        ? readMessage(task.question, task.earlier, task.data)
        : suggestQuestions(task.data, task.language);
    return { value };
  } catch (error) {
    return { error };
  }
}
