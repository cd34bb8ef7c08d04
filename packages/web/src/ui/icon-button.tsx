import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: LucideIcon;
  /** The icon's size in pixels. */
  readonly size: number;
  /** What it does, for screen readers and as the tooltip. */
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
