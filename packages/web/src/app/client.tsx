import { AtollClient } from "@atoll/client";
import { createContext, type ReactNode, useContext } from "react";
import { watchedFetch } from "./reachability.ts";

const ClientContext = createContext<AtollClient | undefined>(undefined);

export function ClientProvider({ children }: { children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

/** The client of the server that serves the page. */
export function useClient(): AtollClient {
  const found = useContext(ClientContext);
  if (!found) throw new Error("outside of ClientProvider");
  return found;
}

const client = new AtollClient({ fetch: watchedFetch });
