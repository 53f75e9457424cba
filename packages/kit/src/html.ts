/**
 * Escapes text for HTML, in an element or a quoted attribute (OWASP, "Cross Site Scripting Prevention", output
 * encoding).
 */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Trusted HTML. Only `markup` creates it. */
export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

type Value = string | number | Markup | readonly Value[] | null | undefined | false;

const htmlOf = (value: Value): string => {
  if (value instanceof Markup) return value.html;
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  return value === null || value === undefined || value === false ? '' : escapeHtml(String(value));
};

/** A template tag that returns HTML and escapes its values unless they are `Markup`. */
export const markup = (parts: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(String.raw({ raw: parts }, ...values.map(htmlOf)));
