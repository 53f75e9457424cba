import { z } from 'zod';

// What people type. The patterns stand in the OpenAPI document, so they work with and without the `u` flag.

/** Bidirectional embeddings, overrides and isolates: they make a text read otherwise than it is stored (Unicode TR 36, section 2.5). */
const DIRECTION = '\\u202a-\\u202e\\u2066-\\u206f';
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
const CONTROL_BUT_BREAKS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** Whole characters, none of them of this class: half a surrogate pair is no text, and no database takes it. */
const without = (characters: string) =>
  new RegExp(`^(?:[^${characters}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$`);
export const ONE_LINE = without(CONTROL + DIRECTION);
const LINES = without(CONTROL_BUT_BREAKS + DIRECTION);

const HIDDEN = 'without control characters or characters that change the direction of text';

/** Something to see, and not only blanks, marks and what joins letters. U+2800 is Braille's blank. */
const hasVisible = (text: string) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
/** Hebrew with its points and accents has five marks on a letter. Piles of them run over the lines around. */
const isPiledUp = (text: string) => /\p{M}{7}/u.test(text);

/** One spelling for what looks alike. What is too long anyhow is left alone: normalising piles of marks takes their square. */
const tidy = (text: string, max: number) =>
  text.length > 4 * max ? text : text.replace(/\r\n?/g, '\n').normalize('NFC').trim();

const typed = (max: number, missing: string, pattern: RegExp, kind: string) =>
  z
    .string(missing)
    .overwrite((text) => tidy(text, max))
    .min(1, { error: missing, abort: true })
    .max(max, { error: `must have at most ${max} characters`, abort: true })
    .regex(pattern, { error: `must be ${kind} ${HIDDEN}`, abort: true })
    .refine(hasVisible, { error: missing, abort: true })
    .refine((text) => !isPiledUp(text), 'must not have more than six accents on a letter');

/** A title, a name, a place: one line, trimmed, with something to see in it. `missing` is said when there is nothing. */
export const lineText = (max: number, missing: string) => typed(max, missing, ONE_LINE, 'one line of text');

/** A description: like a line, but it may have several, and tabs. */
export const blockText = (max: number, missing: string) => typed(max, missing, LINES, 'text');

/** What is looked for: as a line, and it may be nothing. */
export const searchText = (max: number) =>
  z.string().trim().max(max).normalize('NFC').regex(ONE_LINE, `must be one line of text ${HIDDEN}`);
