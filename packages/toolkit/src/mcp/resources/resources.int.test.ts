import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectClient, type ConnectedClient, makeDataDir } from "../server/client.harness.ts";

let place: Awaited<ReturnType<typeof makeDataDir>>;
let connected: ConnectedClient;
beforeAll(async () => {
  place = await makeDataDir();
  connected = await connectClient({ dataDir: place.dataDir });
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await place.remove();
});

describe("the files of a sandbox as resources", () => {
  it("are listed, without what is hidden", async () => {
    const { files } = connected.session.sandbox;
    await files.write("表/销售.csv", "a,b\n");
    await files.write(".secret/x", "x");
    await files.write("/session/artifacts/plot.png", Buffer.from("89504e470d0a1a0a", "hex"));
    const { resources } = await connected.client.listResources();
    expect(resources.map(({ description }) => description).toSorted()).toEqual([
      "/session/artifacts/plot.png",
      "/workspace/表/销售.csv",
    ]);
    expect(resources.find(({ name }) => name === "销售.csv")).toMatchObject({
      mimeType: "text/csv",
      size: 4,
    });
  });

  it("are read as text, or as bytes where they are no text", async () => {
    const { client } = connected;
    const { resources } = await client.listResources();
    const contents = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
    const byUri = new Map(contents.flatMap((each) => each.contents).map((content) => [content.uri, content]));
    expect(byUri.get("sandbox:///session/artifacts/plot.png")).toMatchObject({ blob: "iVBORw0KGgo=" });
    expect(byUri.get("sandbox:///workspace/%E8%A1%A8/%E9%94%80%E5%94%AE.csv")).toMatchObject({
      text: "a,b\n",
    });
  });

  it("can be named by the template, and are those of the sandbox, not of the host", async () => {
    const { client } = connected;
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "sandbox://{+path}" }]);
    const { contents } = await client
      .readResource({ uri: "sandbox:///etc/hostname" })
      .catch(() => ({ contents: [] }));
    for (const content of contents)
      expect(content).not.toMatchObject({ text: expect.stringContaining("root:") });
    for (const uri of [
      "sandbox:///nothing",
      "file:///etc/passwd",
      "sandbox:///%zz",
      "sandbox:///a/../../../etc/shadow",
      "",
    ])
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32_002 });
    await expect(client.readResource({ uri: "sandbox:///workspace" })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  it("tell a subscriber when a call has changed them", async () => {
    const { client, session } = connected;
    const uri = "sandbox:///workspace/watched.txt";
    const updated: string[] = [];
    const changes = Promise.withResolvers<void>();
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => changes.resolve());
    await client.subscribeResource({ uri });
    const python = (code: string) => client.callTool({ name: "execute_python", arguments: { code } });
    await python("1");
    expect(updated).toEqual([]);
    await python("open('watched.txt', 'w').write('x')");
    expect(updated).toEqual([uri]);
    await changes.promise;
    await client.unsubscribeResource({ uri });
    await session.sandbox.files.write("watched.txt", "other");
    await python("1");
    expect(updated).toEqual([uri]);
  });
});
