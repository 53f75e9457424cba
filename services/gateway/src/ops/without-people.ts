export const QUERY = /(?<=\S)[?#][^\s"'`<>()]+/g;
export const EMAIL = /[\p{L}\p{M}\p{N}.!$&'’*+_~-]{1,64}(?:@|%40)[\p{L}\p{M}\p{N}_.-]{1,255}/giu;
/** As of cards and phones, with or without what stands in their gaps: `(202) 555-0143`. */
const LONG_NUMBER = /\d(?:[\s()./-]{0,3}\d){9,}/g;

/** A text without queries, email addresses and long numbers. */
export const withoutContacts = (text: string): string =>
  text.replace(QUERY, '?…').replace(EMAIL, '…@…').replace(LONG_NUMBER, '…');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]{5,16}Z)?$/;
/** Names of types and states, and streams: `catalog.event-published`, `sale-42`. */
const WORD = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/;
/** The provider's: `pi_3Nabc`. */
const PROVIDER_ID = /^[a-z]{2,6}_[A-Za-z0-9_]+$/;
const MAX_SHOWN = 80;
const isPlain = (text: string): boolean =>
  text.length <= MAX_SHOWN && [UUID, TIME, WORD, PROVIDER_ID].some((pattern) => pattern.test(text));

/** Fields whose texts are people's own or secret, whatever they look like. */
const PERSONAL =
  /name|mail|phone|address|holder|title|location|description|comment|note|secret|token|accesskey|linkkey|password/i;
const HIDDEN = '"hidden"';

/**
 * The beginning of a message as JSON, `max` characters long: its fields, numbers, ids, times and names of types. Every other text stands as
 * "hidden", and so does all in a field that is somebody's.
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

/** An error message in one line of `max` characters: without contacts, and without what it quotes unless that is an id or a name of code. */
export function plainCause(message: string, max: number): string {
  const quoted = (whole: string, one?: string, other?: string) => (isPlain(one ?? other ?? '') ? whole : '"…"');
  return oneLine(withoutContacts(message.replace(QUOTED, quoted)), max);
}

function oneLine(message: string, max: number): string {
  const text = message.replace(/\s+/g, ' ').trim();
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** The same with the error's name. A schema's complaint quotes only itself. */
export const causeOf = ({ name, message }: { name: string; message: string }, max: number): string =>
  name === 'ZodError' ? oneLine(`${name}: ${withoutContacts(message)}`, max) : plainCause(`${name}: ${message}`, max);
