export const QUERY = /(?<=\S)[?#][^\s"'`<>()]+/g;
export const EMAIL = /[\p{L}\p{M}\p{N}.!$&'’*+_~-]{1,64}(?:@|%40)[\p{L}\p{M}\p{N}_.-]{1,255}/giu;
/** Card and phone numbers, with or without separators: `(202) 555-0143`. */
const LONG_NUMBER = /\d(?:[\s()./-]{0,3}\d){9,}/g;

/** Removes queries, email addresses and long numbers from a text. */
export const withoutContacts = (text: string): string =>
  text.replace(QUERY, '?…').replace(EMAIL, '…@…').replace(LONG_NUMBER, '…');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]{5,16}Z)?$/;
/** Names of types, states and streams: `catalog.event-published`, `sale-42`. */
const WORD = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/;
/** The card provider's ids: `pi_3Nabc`. */
const PROVIDER_ID = /^[a-z]{2,6}_[A-Za-z0-9_]+$/;
const MAX_SHOWN = 80;
const isPlain = (text: string): boolean =>
  text.length <= MAX_SHOWN && [UUID, TIME, WORD, PROVIDER_ID].some((pattern) => pattern.test(text));

/** Fields whose texts are personal or secret, whatever they look like. */
const PERSONAL =
  /name|mail|phone|address|holder|title|location|description|comment|note|secret|token|accesskey|linkkey|password/i;
const HIDDEN = '"hidden"';

/**
 * Returns the first `max` characters of a bus message as JSON. Fields, numbers, ids, times and type names stay. Every
 * other text, and everything in a personal field, is replaced by "hidden".
 */
export function outlineOf(message: unknown, max: number): string {
  let text = '';
  const isFull = () => text.length >= max;
  const list = (parts: Iterable<() => void>, [open, close]: [string, string]) => {
    text += open;
    let isFirst = true;
    for (const write of parts) {
      if (isFull()) break;
      if (!isFirst) text += ', ';
      isFirst = false;
      write();
    }
    text += close;
  };
  const write = (value: unknown, isHidden: boolean, depth: number): void => {
    if (value === null || typeof value === 'boolean') text += String(value);
    else if (typeof value === 'number') text += isHidden ? HIDDEN : String(value);
    else if (typeof value === 'string') text += !isHidden && isPlain(value) ? JSON.stringify(value) : HIDDEN;
    else if (typeof value !== 'object' || depth > 8) text += HIDDEN;
    else if (Array.isArray(value))
      list(
        value.map((one) => () => write(one, isHidden, depth + 1)),
        ['[', ']'],
      );
    else
      list(
        Object.entries(value).map(([field, of]) => () => {
          text += WORD.test(field.toLowerCase()) && field.length <= MAX_SHOWN ? `${field}: ` : '…: ';
          write(of, isHidden || PERSONAL.test(field), depth + 1);
        }),
        ['{ ', ' }'],
      );
  };
  write(message, false, 0);
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

const QUOTED = /"([^"]{1,2000})"|'([^']{1,2000})'/g;

/**
 * An error message in one line of at most `max` characters. Contacts are removed, and so are quoted texts, unless they
 * are ids or names in code.
 */
export function plainCause(message: string, max: number): string {
  const quoted = (whole: string, one?: string, other?: string) => (isPlain(one ?? other ?? '') ? whole : '"…"');
  return oneLine(withoutContacts(message.replace(QUOTED, quoted)), max);
}

function oneLine(message: string, max: number): string {
  const text = message.replace(/\s+/g, ' ').trim();
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/**
 * Like `plainCause`, but begins with the error's name. Quoted texts in a ZodError stay, because they contain only parts
 * of the schema.
 */
export const causeOf = ({ name, message }: { name: string; message: string }, max: number): string =>
  name === 'ZodError' ? oneLine(`${name}: ${withoutContacts(message)}`, max) : plainCause(`${name}: ${message}`, max);
