import { Download, Maximize2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { Lightbox } from "../ui/lightbox.tsx";
import { saveAsPng } from "./png.ts";

interface PictureProps {
  readonly url: string;
  /** The file name to save it under. */
  readonly name: string;
  readonly mime: string;
}

/** A plot, enlarged on a click. */
export function Picture({ url, name, mime }: PictureProps) {
  const texts = useTexts();
  const image = useRef<HTMLImageElement>(null);
  const [isLarge, setLarge] = useState(false);
  const enlarge = () => setLarge(true);
  return (
    <figure className="picture">
      <button type="button" className="picture-button" onClick={enlarge} aria-label={texts.enlarge}>
        <img ref={image} src={url} alt={texts.image} loading="lazy" />
      </button>
      <figcaption className="picture-tools">
        <button type="button" className="button plain small" onClick={enlarge}>
          <Maximize2 size={14} aria-hidden /> {texts.enlarge}
        </button>
        {mime === "image/png" ? (
          <a className="button plain small" href={url} download={name}>
            <Download size={14} aria-hidden /> {texts.savePng}
          </a>
        ) : (
          <button
            type="button"
            className="button plain small"
            onClick={() => image.current && void saveAsPng(image.current, name)}
          >
            <Download size={14} aria-hidden /> {texts.savePng}
          </button>
        )}
      </figcaption>
      {isLarge ? <Lightbox url={url} name={texts.image} onClose={() => setLarge(false)} /> : null}
    </figure>
  );
}
