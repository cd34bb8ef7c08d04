/** True when images are loaded, no placeholder is left and two frames are equal. */
export async function isStill(): Promise<boolean> {
  const isLoading = [...document.images].some(
    (image) => image.checkVisibility() && isNear(image) && !image.complete,
  );
  const isEmpty = [...document.querySelectorAll(".skeleton")].some((element) => element.checkVisibility());
  if (isLoading || isEmpty) return false;
  const before = readBoxes();
  await nextFrame();
  await new Promise((resolve) => requestIdleCallback(resolve));
  await nextFrame();
  return readBoxes() === before;

  /** Images up to a screen away load too and move the rest. Others load later. */
  function isNear(element: Element): boolean {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > -innerHeight && top < 2 * innerHeight;
  }

  function readBoxes(): string {
    const boxes = [...document.querySelectorAll("body *")].map((element) => element.getBoundingClientRect());
    return boxes.map(({ x, y, width, height }) => `${x} ${y} ${width} ${height}`).join(";");
  }

  function nextFrame(): Promise<unknown> {
    return new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
