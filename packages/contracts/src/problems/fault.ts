import type { ArgumentsOf, Params, ProblemText } from './texts.ts';

/**
 * Encodes a text of the table as a schema's error message. The error message must be one string, so it consists of the
 * text's key and its values as JSON.
 */
export const fault = <Text extends ProblemText>(text: Text, ...[params]: ArgumentsOf<Text>): string =>
  params === undefined ? text : `${text} ${JSON.stringify(params)}`;

const FAULT = /^([a-z-]+\.[a-z-]+)(?: (\{.*\}))?$/i;

/** Parses an error message that `fault` created; undefined for other error messages, such as Zod's own. */
export function readFault(message: string): { text: ProblemText; params?: Params } | undefined {
  const [, text, params] = FAULT.exec(message) ?? [];
  if (text === undefined) return undefined;
  return { text: text as ProblemText, ...(params !== undefined && { params: JSON.parse(params) as Params }) };
}
