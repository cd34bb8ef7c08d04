import { lazy, memo, Suspense } from "react";

const Formatted = lazy(() => import("./formatted.tsx"));

/** Shows plain text until the formatter has loaded. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="pre-line">{text}</p>}>
        <Formatted text={text} />
      </Suspense>
    </div>
  );
});
