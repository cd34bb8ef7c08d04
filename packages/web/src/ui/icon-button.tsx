import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: LucideIcon;
  /** Of the icon, in pixels. */
  readonly size: number;
  /** What it does: told to who cannot see the icon, and shown to who points at it. */
  readonly label: string;
  readonly isSmall?: boolean;
}

/** A button that shows only an icon. */
export function IconButton({
  icon: Icon,
  size,
  label,
  isSmall = false,
  className,
  ...rest
}: IconButtonProps) {
  const classes = ["icon-button", isSmall ? "small" : undefined, className].filter(Boolean).join(" ");
  return (
    <button type="button" className={classes} aria-label={label} title={label} {...rest}>
      <Icon size={size} aria-hidden />
    </button>
  );
}
