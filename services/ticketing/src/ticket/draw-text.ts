import type { Face, FontFile } from '@beltway/typeset/faces';
import { setLines, type Line } from '@beltway/typeset/lines';

export interface DrawTextOptions {
  face: Face;
  /** In points. */
  size: number;
  x: number;
  /** Top of the first line of text. */
  y: number;
  width: number;
  /** Maximum number of lines. Longer text ends with an ellipsis. */
  maxLines: number;
}

/**
 * Maximum height above and below the baseline, in em. Arabic fonts reserve twice the height of Latin fonts, for marks
 * that names and titles seldom have.
 */
const MAX_ASCENT = 1.15;
const MAX_DESCENT = 0.5;

/** The name of each font in a document. */
const registered = new WeakMap<PDFKit.PDFDocument, Map<FontFile, string>>();

function register(pdf: PDFKit.PDFDocument, file: FontFile, name: string): void {
  pdf.registerFont(name, file.bytes);
  registered.set(pdf, (registered.get(pdf) ?? new Map<FontFile, string>()).set(file, name));
}

/** Registers the fonts of these typefaces under the given names, for plain text. Each font is embedded once. */
export function registerFaces(pdf: PDFKit.PDFDocument, faces: Record<string, Face>): void {
  for (const [name, { own }] of Object.entries(faces)) register(pdf, own, name);
}

function use(pdf: PDFKit.PDFDocument, file: FontFile): void {
  if (!registered.get(pdf)?.has(file)) register(pdf, file, file.name);
  pdf.font(registered.get(pdf)!.get(file)!);
}

/** The typeset lines of each document, so that text that is repeated on each page is typeset only once. */
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
 * Draws text in any script at the given position. Afterwards `pdf.y` is below the text, as after pdfkit's own `text`,
 * and the typeface's own font is selected.
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
      // With `features`, pdfkit lets the font shape the run as a whole, in the same way as the code that measures the
      // run.
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
