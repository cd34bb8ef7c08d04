import { useTexts } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
const modifier = isMac ? "⌘" : "Ctrl";

export default function HelpDialog({ onClose }: { onClose(): void }) {
  const texts = useTexts();
  const { shortcuts } = texts;
  const entries: readonly (readonly [readonly string[], string])[] = [
    [["Enter"], shortcuts.send],
    [["Shift", "Enter"], shortcuts.newLine],
    [["↑"], shortcuts.editLast],
    [["Esc"], shortcuts.stop],
    [[modifier, "K"], shortcuts.search],
    [[modifier, "Shift", "O"], shortcuts.newThread],
    [["?"], shortcuts.help],
  ];
  return (
    <Dialog className="help" title={texts.help} onClose={onClose}>
      <dl className="shortcuts">
        {entries.map(([keys, meaning]) => (
          <div key={meaning} className="row">
            <dd className="spread">{meaning}</dd>
            <dt className="row">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
