import { PROBLEM_TEXTS, type Params, type ProblemText } from '@beltway/contracts/problems/texts';
import { readFault } from '@beltway/contracts/problems/fault';
import { spokenParams } from '@beltway/contracts/problems/spoken';
import compile from 'icu-minify/compile';
import format, { type CompiledMessage } from 'icu-minify/format';

const plurals = new Intl.PluralRules('en-US');
const numbers = new Intl.NumberFormat('en-US');
const options = {
  formatters: {
    getPluralRules: () => plurals,
    getNumberFormat: () => numbers,
    getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
      new Intl.DateTimeFormat(...given),
  },
};

const compiled = new Map<ProblemText, CompiledMessage>();

/** Formats a text of the table in English. */
export function english(text: ProblemText, params?: Params): string {
  if (params === undefined) return PROBLEM_TEXTS[text];
  const message = compiled.get(text) ?? compile(PROBLEM_TEXTS[text]);
  compiled.set(text, message);
  return String(format(message, 'en-US', spokenParams(params, 'en'), options));
}

/** A schema's message in English, with its key if the table contains the message. */
export function saidBy(message: string): { message: string; text?: ProblemText; params?: Params } {
  const said = readFault(message);
  return said && said.text in PROBLEM_TEXTS ? { message: english(said.text, said.params), ...said } : { message };
}
