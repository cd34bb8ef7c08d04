import { Braces, File, FileCode, FileImage, FileText, NotebookText, Sheet } from "lucide-react";
import { type FileKind, kindOfFile } from "./file-kind.ts";

const icons: Readonly<Record<FileKind, typeof File>> = {
  image: FileImage,
  pdf: FileText,
  table: Sheet,
  json: Braces,
  notebook: NotebookText,
  markdown: FileText,
  html: FileCode,
  text: FileCode,
  unknown: File,
};

export function iconOfFile(path: string): typeof File {
  return icons[kindOfFile(path)];
}
