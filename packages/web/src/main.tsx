import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { ClientProvider } from "./app/client.tsx";
import { ErrorBoundary } from "./app/error-boundary.tsx";
import { LayoutProvider } from "./app/layout.tsx";
import { QuestionProvider } from "./app/questions.tsx";
import { ToastProvider } from "./app/toasts.tsx";
import { LanguageProvider } from "./i18n/language.tsx";
import { applyTheme } from "./ui/theme.ts";
import "./ui/base.css";
import "./ui/parts.css";
import "./app/layout.css";
import "./history/history.css";
import "./chat/transcript.css";
import "./ui/markdown/prose.css";
import "./chat/tool-call/call.css";
import "./chat/approval/approval.css";
import "./chat/composer/composer.css";
import "./chat/welcome.css";
import "./results/results.css";

applyTheme();
const root = document.querySelector("#root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(
  <StrictMode>
    <ClientProvider>
      <LanguageProvider>
        <LayoutProvider>
          <ToastProvider>
            <QuestionProvider>
              <ErrorBoundary>
                <App />
              </ErrorBoundary>
            </QuestionProvider>
          </ToastProvider>
        </LayoutProvider>
      </LanguageProvider>
    </ClientProvider>
  </StrictMode>,
);
