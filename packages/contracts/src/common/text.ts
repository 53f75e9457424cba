import { z } from 'zod';
import type { PlainText } from '../problems/texts.ts';
import { fault } from '../problems/fault.ts';

// Schemas for typed text.

const BROKEN = fault('invalid.half-character');

/** True if a text has a visible character, not only blanks, marks and joiners. U+2800 is the Braille blank. */
const hasVisible = (text: string) => /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
/**
 * Matches stacks of seven or more marks, which overlap the adjacent lines. Hebrew with points and accents has up to
 * five marks on a letter.
 */
const isPiledUp = (text: string) => /\p{M}{7}/u.test(text);

/**
 * Invisible characters: control characters, zero-width spaces, direction marks. The capturing group matches characters
 * that must stay: a region's flag, a variation selector after a character with variants, a joiner between emoji, a
 * joiner after a letter of a script whose letters change their form (Unicode TR 36 and TR 51).
 */
const SHOWS_NOTHING =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,7}\u{e007f}|(?<=[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])\p{Variation_Selector}|(?<=[\p{Emoji}\ufe0f\u{e007f}])\u200d(?=\p{Extended_Pictographic})|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d])|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/gu;

/** Removes invisible characters, which often come with pasted text. */
export const visibleOnly = (text: string): string => text.replace(SHOWS_NOTHING, '$1');

/**
 * Normalizes equivalent spellings. A text that is far too long stays unchanged, because normalizing stacked marks takes
 * quadratic time.
 */
const tidy = (text: string, max: number, line: boolean) => {
  if (text.length > 4 * max) return text;
  const breaks = visibleOnly(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'));
  return (line ? breaks.replace(/[\t-\r]+/g, ' ') : breaks.replace(/[\v\f]/g, '\n')).normalize('NFC').trim();
};

const typed = (max: number, text: PlainText, line: boolean, missing = fault<PlainText>(text)) =>
  z
    .string(missing)
    .overwrite((text) => tidy(text, max, line))
    .min(1, { error: missing, abort: true })
    .max(max, { error: fault('invalid.too-long', { max }), abort: true })
    .refine((text) => text.isWellFormed(), { error: BROKEN, abort: true })
    .refine(hasVisible, { error: missing, abort: true })
    .refine((text) => !isPiledUp(text), fault('invalid.accents'));

/** A title, name or place: one line, trimmed, with a visible character. `missing` is the error if there is none. */
export const lineText = (max: number, missing: PlainText) => typed(max, missing, true);

/** A description: like `lineText`, but with line breaks and tabs. */
export const blockText = (max: number, missing: PlainText) => typed(max, missing, false);

/** Search words: like `lineText`, but may be empty. */
export const searchText = (max: number) =>
  z
    .string()
    .overwrite((text) => tidy(text, max, true))
    .max(max)
    .refine((text) => text.isWellFormed(), BROKEN);

/**
 * Email addresses that mail servers accept in practice: RFC 5321 without quoted names and bracketed hosts; the domain
 * has a dot.
 */
const EMAIL =
  /^(?!\.)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.)@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/i;

/** An email address, trimmed. `text` is the error. */
export const emailText = (text: PlainText = 'invalid.email', error = fault<PlainText>(text)) =>
  z
    .string(error)
    .overwrite((text) => (text.length > 1_000 ? text : visibleOnly(text).trim()))
    .max(254)
    .regex(EMAIL, error)
    .meta({ format: 'email' });

const LINK = fault('invalid.web-link');

/**
 * A link that browsers may be redirected to: http or https, a host with a dot, no credentials, normalized like a URL.
 * `missing` is the error for an empty text.
 */
export const webLink = (max: number, missing: PlainText) =>
  z
    .string(LINK)
    .trim()
    .min(1, { error: fault(missing), abort: true })
    .max(max, { error: fault('invalid.too-long', { max }), abort: true })
    .refine(isWebLink, LINK)
    .overwrite((link) => (isWebLink(link) ? new URL(link).href : link));

function isWebLink(link: string): boolean {
  // `new URL` removes tabs and line breaks and reads a backslash as a slash. Only links that `new URL` would not change
  // are accepted.
  if (!/^https?:\/\/[^\s\\]+$/i.test(link) || !URL.canParse(link)) return false;
  const { hostname, username, password } = new URL(link);
  return hostname.includes('.') && username === '' && password === '';
}
