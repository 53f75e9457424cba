import type { Face, FontFile } from '@beltway/typeset/faces';
import { setLines, type Line } from '@beltway/typeset/lines';

export interface DrawTextOptions {
  face: Face;
  /** Points. */
  size: number;
  x: number;
  /** Top of the first line. */
  y: number;
  width: number;
  /** What is more is cut, with an ellipsis. */
  maxLines: number;
}

/**
 * Above and below the baseline, of an em: Arabic asks for twice the room of Latin, for marks that names and titles
 * seldom have.
 */
const MAX_ASCENT = 1.15;
const MAX_DESCENT = 0.5;

/** The name that each font has in a document. */
const registered = new WeakMap<PDFKit.PDFDocument, Map<FontFile, string>>();

function register(pdf: PDFKit.PDFDocument, file: FontFile, name: string): void {
  pdf.registerFont(name, file.bytes);
  registered.set(pdf, (registered.get(pdf) ?? new Map<FontFile, string>()).set(file, name));
}

/** Makes the fonts of these typefaces known by the names given, for plain text; each font is embedded once. */
export function registerFaces(pdf: PDFKit.PDFDocument, faces: Record<string, Face>): void {
  for (const [name, { own }] of Object.entries(faces)) register(pdf, own, name);
}

function use(pdf: PDFKit.PDFDocument, file: FontFile): void {
  if (!registered.get(pdf)?.has(file)) register(pdf, file, file.name);
  pdf.font(registered.get(pdf)!.get(file)!);
}

/** What stands on each page of a document is set once. */
const set = new WeakMap<PDFKit.PDFDocument, Map<string, Line[]>>();

function linesOf(pdf: PDFKit.PDFDocument, text: string, { face, size, width, maxLines }: DrawTextOptions): Line[] {
  const known = set.get(pdf) ?? new Map<string, Line[]>();
  set.set(pdf, known);
  const key = [face.own.name, size, width, maxLines, text].join(' ');
  const lines = known.get(key) ?? setLines(face, text, { width: width / size, maxLines });
  known.set(key, lines);
  return lines;
}

/**
 * What people wrote, in whatever script, at the place given. Leaves `pdf.y` under it, as pdfkit's own `text` does, and
 * the typeface's own font.
 */
export function drawText(pdf: PDFKit.PDFDocument, text: string, options: DrawTextOptions): void {
  const { face, size, x, y } = options;
  let top = y;
  for (const { runs } of linesOf(pdf, text, options)) {
    const files = [face.own, ...runs.map(({ file }) => file)].map(({ font }) => font);
    const ascent = Math.min(MAX_ASCENT, Math.max(...files.map(({ ascent, unitsPerEm }) => ascent / unitsPerEm)));
    const descent = Math.min(MAX_DESCENT, Math.max(...files.map(({ descent, unitsPerEm }) => -descent / unitsPerEm)));
    let left = x;
    for (const { file, text: letters, width: advance } of runs) {
      use(pdf, file);
      // With `features` pdfkit has the font shape the run as a whole, as it was measured.
      const plain = { lineBreak: false, baseline: 'alphabetic', features: [] } as const;
      pdf.fontSize(size).text(letters, left, top + ascent * size, plain as object);
      left += advance * size;
    }
    top += (ascent + descent) * size;
  }
  use(pdf, face.own);
  pdf.x = x;
  pdf.y = top;
}
