import { describeFaults, findAncestor, findSupervisor } from "../../conformance/index.ts";
import { localDriver } from "./driver.ts";

describeFaults(localDriver, {
  hooks: {
    killSupervisor: async (sandbox) => void process.kill(await findSupervisor(sandbox), "SIGKILL"),
    killZygote: async (sandbox) => {
      const zygote = await findAncestor(await findSupervisor(sandbox), "atoll-zygote");
      if (zygote === undefined) throw new Error("the sandbox has no zygote among its ancestors");
      process.kill(zygote, "SIGKILL");
    },
  },
});
