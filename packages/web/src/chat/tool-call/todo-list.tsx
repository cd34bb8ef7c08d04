import { Circle, CircleCheck, CircleDot } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";

const icons = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };

/** An agent's plan as a checklist. */
export function TodoList({ todos }: { todos: readonly unknown[] }) {
  const texts = useTexts();
  return (
    <ul className="todos">
      {todos.filter(isTodo).map(({ content, status }, index) => {
        const Icon = icons[status];
        return (
          <li key={index} className={status}>
            <Icon size={15} aria-hidden />{" "}
            <span className="visually-hidden">{texts.todoStates[status]}: </span>
            {content}
          </li>
        );
      })}
    </ul>
  );
}

interface Todo {
  readonly content: string;
  readonly status: keyof typeof icons;
}

/** A model writes these, so they are validated. */
function isTodo(value: unknown): value is Todo {
  if (typeof value !== "object" || value === null) return false;
  const { content, status } = value as Partial<Todo>;
  return typeof content === "string" && typeof status === "string" && Object.hasOwn(icons, status);
}
