import type { ArgumentsOf, Params, ProblemText } from './texts.ts';

/** A text of the table as the message of a schema, which is one string: its key, and its values as JSON. */
export const fault = <Text extends ProblemText>(text: Text, ...[params]: ArgumentsOf<Text>): string =>
  params === undefined ? text : `${text} ${JSON.stringify(params)}`;

const FAULT = /^([a-z-]+\.[a-z-]+)(?: (\{.*\}))?$/i;

/** The text that a schema's message names; undefined for a message in words, such as Zod's own. */
export function readFault(message: string): { text: ProblemText; params?: Params } | undefined {
  const [, text, params] = FAULT.exec(message) ?? [];
  if (text === undefined) return undefined;
  return { text: text as ProblemText, ...(params !== undefined && { params: JSON.parse(params) as Params }) };
}
