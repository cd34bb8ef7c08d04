/** Where parts of the page are: "left top width height", in percent of the window. */
export function readLandmarks(parts: Readonly<Record<string, string>>): Record<string, string> {
  const found = Object.entries(parts).flatMap(([name, selector]) => {
    const element = [...document.querySelectorAll(selector)].findLast((each) => each.checkVisibility());
    const box = element?.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) return [];
    const sides = [
      box.left / innerWidth,
      box.top / innerHeight,
      box.width / innerWidth,
      box.height / innerHeight,
    ];
    return [[name, sides.map((side) => Math.round(side * 100)).join(" ")]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}
