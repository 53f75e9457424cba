import type { GetICUArgs } from '@schummar/icu-type-parser';
import { catalog } from './catalog.texts.en.ts';
import { common } from './common.texts.en.ts';
import { fields } from './fields.texts.en.ts';
import { gateway } from './gateway.texts.en.ts';
import { identity } from './identity.texts.en.ts';
import { media } from './media.texts.en.ts';
import { payments } from './payments.texts.en.ts';
import { realtime } from './realtime.texts.en.ts';
import { ticketing } from './ticketing.texts.en.ts';

/**
 * The English sentences of all problems, in ICU syntax (docs/decisions/0112). A key is the problem's code, or
 * `code.reason` if a code has several sentences. Spanish: frontend/src/lib/i18n/problem-texts.es.ts.
 */
export const PROBLEM_TEXTS = {
  ...common,
  ...fields,
  ...gateway,
  ...identity,
  ...catalog,
  ...ticketing,
  ...payments,
  ...media,
  ...realtime,
};

type Texts = typeof PROBLEM_TEXTS;
export type ProblemText = keyof Texts;

/** The values of a sentence: numbers, names, and instants or days as ISO texts. */
export type Params = Readonly<Record<string, string | number>>;

type Arguments = { ICUArgument: string | number; ICUNumberArgument: number };
export type ParamsOf<Text extends ProblemText> = GetICUArgs<Texts[Text], Arguments>;

/** Texts without values. */
export type PlainText = {
  [Text in ProblemText]: Texts[Text] extends `${string}{${string}` ? never : Text;
}[ProblemText];

/** The arguments for a text's values; none for a text without values. */
export type ArgumentsOf<Text extends ProblemText> = [Text] extends [PlainText] ? [] : [params: ParamsOf<Text> & Params];

/** The stable code for API clients: `not-found` of `not-found.event`. */
export const codeOf = (text: ProblemText): string => text.split('.', 1)[0]!;
