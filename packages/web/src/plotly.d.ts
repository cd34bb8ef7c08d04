declare module "plotly.js-dist-min" {
  const plotly: {
    newPlot(element: HTMLElement, figure: object): Promise<unknown>;
    toImage(element: HTMLElement, options: object): Promise<string>;
    purge(element: HTMLElement): void;
  };
  export default plotly;
}
