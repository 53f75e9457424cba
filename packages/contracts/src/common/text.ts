import { z } from 'zod';
import type { PlainText } from '../problems/texts.ts';
import { fault } from '../problems/fault.ts';

// What people type.

const BROKEN = fault('invalid.half-character');

/** Something to see, and not only blanks, marks and what joins letters. U+2800 is Braille's blank. */
const hasVisible = (text: string) => /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
/** Hebrew with its points and accents has five marks on a letter. Piles of them run over the lines around. */
const isPiledUp = (text: string) => /\p{M}{7}/u.test(text);

/**
 * Characters that show nothing: control characters, zero-width spaces, marks of direction. The group is what stays: the flag
 * of a region, a variation selector after what has variants, a joiner between emoji, a joiner after a letter of a script
 * whose letters change their form (Unicode TR 36 and TR 51).
 */
const SHOWS_NOTHING =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,7}\u{e007f}|(?<=[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])\p{Variation_Selector}|(?<=[\p{Emoji}\ufe0f\u{e007f}])\u200d(?=\p{Extended_Pictographic})|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d])|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/gu;

/** Removes the characters that come with pasted text and show nothing. */
export const visibleOnly = (text: string): string => text.replace(SHOWS_NOTHING, '$1');

/** One spelling for what looks alike. A text that is too long anyway stays unchanged: normalizing piles of marks takes their square. */
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

/** A title, a name, a place: one line, trimmed, with something to see in it. `missing` is said when there is nothing. */
export const lineText = (max: number, missing: PlainText) => typed(max, missing, true);

/** A description: like a line, but it may have several, and tabs. */
export const blockText = (max: number, missing: PlainText) => typed(max, missing, false);

/** What is looked for: as a line, and it may be nothing. */
export const searchText = (max: number) =>
  z
    .string()
    .overwrite((text) => tidy(text, max, true))
    .max(max)
    .refine((text) => text.isWellFormed(), BROKEN);

/** What mail servers accept and people have: RFC 5321 without quoted names and addresses in brackets; a domain has a dot. */
const EMAIL =
  /^(?!\.)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.)@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/i;

/** The address of a mailbox, trimmed. `text` names what is expected. */
export const emailText = (text: PlainText = 'invalid.email', error = fault<PlainText>(text)) =>
  z
    .string(error)
    .overwrite((text) => (text.length > 1_000 ? text : visibleOnly(text).trim()))
    .max(254)
    .regex(EMAIL, error)
    .meta({ format: 'email' });
