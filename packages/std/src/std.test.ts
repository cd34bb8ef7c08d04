import { expect, it } from "vitest";
import { iterateUntilAborted, KeyedMutex, Mutex, rejectOnAbort, resolveOnAbort, Semaphore } from "./index.ts";
import { settleWithin, sleep } from "./index.ts";

const never = new Promise<never>(() => {});

it("a mutex serves waiters in order, drops those that give up, and refuses an aborted signal", async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  const release = await mutex.acquire();
  const leaver = new AbortController();
  const left = mutex.run(async () => order.push("left"), { signal: leaver.signal });
  const second = mutex.run(async () => order.push("second"));
  const third = mutex.run(async () => order.push("third"));
  leaver.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  release();
  release();
  await Promise.all([second, third]);
  expect([order, mutex.isLocked]).toEqual([["second", "third"], false]);
  await expect(mutex.run(async () => order.push("late"), { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(order).toHaveLength(2);
});

it("a mutex is free again after work that failed, and rejects with the error of its owner's choice", async () => {
  const mutex = new Mutex({ makeAbortError: ({ reason }) => new Error(`aborted: ${reason}`) });
  await expect(mutex.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(mutex.isLocked).toBe(false);
  await expect(mutex.acquire({ signal: AbortSignal.abort("why") })).rejects.toThrow("aborted: why");
});

it("a keyed mutex runs work of one key in order, also after a failure, and other keys beside it", async () => {
  const mutex = new KeyedMutex();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run("a", async () => {
    await gate.promise;
    order.push("a1");
    throw new Error("no");
  });
  const second = mutex.run("a", async () => order.push("a2"));
  await mutex.run("b", async () => order.push("b"));
  gate.resolve();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(order).toEqual(["b", "a1", "a2"]);
});

it("a semaphore lets so many work at once, prioritized waiters before the others", async () => {
  const semaphore = new Semaphore(2);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string) =>
    semaphore.run(
      () => {
        began.push(key);
        return new Promise<void>((resolve) => ends.set(key, resolve));
      },
      { key },
    );
  const all = ["a", "b", "c", "d", "e"].map(work);
  semaphore.prioritize("e");
  for (const key of ["b", "a", "e", "c", "d"]) {
    await expect.poll(() => ends.has(key)).toBe(true);
    ends.get(key)?.();
  }
  await Promise.all(all);
  expect([began, semaphore.isAnyWaiting]).toEqual([["a", "b", "e", "c", "d"], false]);
});

it("a semaphore is free again after work that failed", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run(async () => "yes")).toBe("yes");
});

it("waits end with the signal", async () => {
  const stop = new AbortController();
  const waits = [
    rejectOnAbort(never, stop.signal),
    resolveOnAbort(never, stop.signal),
    sleep(1e6, stop.signal),
  ];
  stop.abort("why");
  const outcomes = await Promise.allSettled(waits);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(await rejectOnAbort(Promise.resolve(1), new AbortController().signal)).toBe(1);
});

it("settles within a time with the value, the rejection or the fallback", async () => {
  expect(await settleWithin(Promise.resolve(1), 1e6, 2)).toBe(1);
  expect(await settleWithin(never, 1, 2)).toBe(2);
  await expect(settleWithin(Promise.reject(new Error("no")), 1e6, 2)).rejects.toThrow("no");
});

it("an iteration throws at the abort, also while no value comes, and closes its source", async () => {
  const closed = Promise.withResolvers<void>();
  async function* source() {
    try {
      yield 1;
      yield 2;
    } finally {
      closed.resolve();
    }
  }
  const stop = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const value of iterateUntilAborted(source(), stop.signal, () => new Error("given up"))) {
      seen.push(value);
      if (value === 1) stop.abort();
    }
  })();
  await expect(reading).rejects.toThrow("given up");
  await closed.promise;
  expect(seen).toEqual([1]);
  const quiet = new AbortController();
  const waiting = iterateUntilAborted(
    { [Symbol.asyncIterator]: () => ({ next: () => never }) },
    quiet.signal,
  ).next();
  quiet.abort(new Error("quiet"));
  await expect(waiting).rejects.toThrow("quiet");
});
