import { Component, type ReactNode } from "react";
import { useTexts } from "../i18n/language.tsx";

/** Shows an error in place of a part that throws; the rest of the page keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <Broken error={this.state.error} />;
  }
}

function Broken({ error }: { error: unknown }) {
  const texts = useTexts();
  return (
    <div className="page-problem" role="alert">
      <p>{texts.somethingFailed}</p>
      <p className="quiet small-text mono">{error instanceof Error ? error.message : String(error)}</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {texts.reload}
      </button>
    </div>
  );
}
