/**
 * Faults of the page's current layout, one sentence each, independent of the fonts: elements that stick out or overlap,
 * text that is cut without a sign, controls that are too small.
 */
export function findFaults(): string[] {
  /** Ignores tall letters in narrow lines. */
  const SPILT_PX = 6;
  const root = topmost();
  const seen = [...root.querySelectorAll<HTMLElement>("*")].filter(isSeen);
  return [
    ...findSideways(),
    ...seen.flatMap((element) => [
      ...findOutside(element),
      ...findSideScroll(element),
      ...findCut(element),
      ...findSmall(element),
      ...findOverlaps(element),
    ]),
    ...findCovered(root),
  ];

  /** While a dialog is open, only it is checked. */
  function topmost(): HTMLElement {
    return [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body;
  }

  function findSideways(): string[] {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth
      ? [`the page is ${scrollWidth - clientWidth} px wider than its window`]
      : [];
  }

  /** Sticks out of the window or its container, unless that scrolls or clips on purpose. */
  function findOutside(element: HTMLElement): string[] {
    const box = element.getBoundingClientRect();
    const holder = findHolder(element);
    const bounds = holder?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const past = Math.max(
      bounds.left - box.left,
      box.right - bounds.right,
      ...(holder ? [bounds.top - box.top, box.bottom - bounds.bottom] : []),
    );
    return past > 1.5
      ? [
          `${nameOf(element)} sticks out of ${holder ? nameOf(holder) : "the window"} by ${Math.round(past)} px`,
        ]
      : [];
  }

  /** Only content that cannot wrap may be wider than its container. */
  function findSideScroll(element: HTMLElement): string[] {
    const mayScroll = "pre, .table-scroll, .grid-scroll, .prose-table, .panel-tabs, .browser-tabs";
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowX) && !element.matches(mayScroll);
    const past = element.scrollWidth - element.clientWidth;
    return isScroller && past > 1 ? [`${nameOf(element)} scrolls sideways, by ${past} px`] : [];
  }

  function findHolder(element: HTMLElement): HTMLElement | undefined {
    for (let holder = element.parentElement; holder; holder = holder.parentElement) {
      const { overflowX, position, display } = getComputedStyle(holder);
      if (getComputedStyle(element).position === "fixed") return undefined;
      if (overflowX !== "visible") return overflowX === "hidden" && !isEllipsis(holder) ? holder : element;
      if (display !== "inline" && display !== "contents" && position !== "absolute" && hasEdge(holder))
        return holder;
    }
    return undefined;
  }

  /** Elements with a border or background look like boxes. */
  function hasEdge(element: HTMLElement): boolean {
    const { borderLeftWidth, borderRightWidth, backgroundColor } = getComputedStyle(element);
    const hasGround = backgroundColor !== "rgba(0, 0, 0, 0)" && backgroundColor !== "transparent";
    return hasGround || (borderLeftWidth !== "0px" && borderRightWidth !== "0px");
  }

  function findCut(element: HTMLElement): string[] {
    const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(element);
    if (!hasOwnText(element) || isEllipsis(element) || webkitLineClamp !== "none") return [];
    const isWide = overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1;
    const isTall = overflowY === "hidden" && element.scrollHeight > element.clientHeight + 1;
    const cut = isWide || isTall ? [`${nameOf(element)} cuts its words off`] : [];
    const isSpilt = overflowY === "visible" && element.clientHeight > 0;
    const spilt = isSpilt ? element.scrollHeight - element.clientHeight : 0;
    return spilt > SPILT_PX ? [...cut, `${nameOf(element)} spills its words by ${spilt} px`] : cut;
  }

  function isEllipsis(element: HTMLElement): boolean {
    return getComputedStyle(element).textOverflow === "ellipsis";
  }

  function findSmall(element: HTMLElement): string[] {
    if (
      !element.matches(
        "button, select, textarea, input:not([type=radio], [type=checkbox]), [role=tab], a.button",
      )
    )
      return [];
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) < 24
      ? [`${nameOf(element)} is ${Math.round(width)} × ${Math.round(height)} px, too small to hit`]
      : [];
  }

  /** Siblings in a row or a column. */
  function findOverlaps(element: HTMLElement): string[] {
    const { display } = getComputedStyle(element);
    if (!/^(block|flex|grid|inline-flex)$/.test(display)) return [];
    const boxes = ([...element.children] as HTMLElement[])
      .filter((child) => isSeen(child) && ["static", "relative"].includes(getComputedStyle(child).position))
      .filter((child) => !/^inline$|contents/.test(getComputedStyle(child).display))
      .filter((child) => getComputedStyle(child).transform === "none")
      .map((child) => ({ child, box: child.getBoundingClientRect() }));
    return boxes.flatMap(({ child, box }, index) =>
      boxes
        .slice(index + 1)
        .filter(({ box: other }) => lap(box, other) > 2)
        .map(({ child: other }) => `${nameOf(child)} and ${nameOf(other)} lie over each other`),
    );
  }

  /** How far two boxes overlap, on the shorter axis. Intended negative margins are listed. */
  function lap(one: DOMRect, other: DOMRect): number {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return Math.min(across, down);
  }

  /** A control must be the top element at its centre, unless it is scrolled out of view. */
  function findCovered(within: HTMLElement): string[] {
    const controls = [...within.querySelectorAll<HTMLElement>("button, a[href], input, textarea, select")];
    return controls
      .filter((control) => isSeen(control) && isInView(control))
      .flatMap((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const met = document.elementFromPoint(left + width / 2, top + height / 2);
        const isMet =
          met === null ||
          control.contains(met) ||
          met.contains(control) ||
          met.closest("label")?.contains(control);
        return isMet || met.closest(".scrim, .drop-veil, .menu, .jump, .side-panel, .sidebar")
          ? []
          : [`${nameOf(control)} is covered by ${nameOf(met as HTMLElement)}`];
      });
  }

  function isInView(element: HTMLElement): boolean {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    for (let holder = element.parentElement; holder; holder = holder.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(holder);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = holder.getBoundingClientRect();
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
    }
    return x > 0 && y > 0 && x < innerWidth && y < innerHeight;
  }

  function isSeen(element: HTMLElement): boolean {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || element.closest(".visually-hidden, svg, .cm-editor, .xterm") !== null)
      return false;
    return !(element instanceof HTMLDialogElement && !element.open);
  }

  function hasOwnText(element: HTMLElement): boolean {
    return [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
    );
  }

  function nameOf(element: HTMLElement): string {
    const label = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 30) ?? "";
    const classes =
      element.className && typeof element.className === "string"
        ? `.${element.className.trim().split(/\s+/).join(".")}`
        : "";
    return `${element.tagName.toLowerCase()}${classes}${label ? ` "${label}"` : ""}`;
  }
}
