import type { Problem, Said } from '@beltway/contracts/common/basics';
import type { Language } from '@beltway/contracts/common/languages';
import { spokenParams } from '@beltway/contracts/problems/spoken';
import type { Params } from '@beltway/contracts/problems/texts';
import { retry } from '../loading/retry.ts';
import { textsOf, type Messages } from './catalog.ts';
import { language } from './language.ts';

// The server answers which sentence it means, with its values, and in English (docs/decisions/0112).

let translated: Messages | undefined;

/** Loads the server's sentences in another language. Without them they are in English. */
export async function loadProblemTexts(wanted: Language): Promise<void> {
  translated =
    wanted === 'en'
      ? undefined
      : await retry(() => import('./problem-texts.es.ts')).then(
          ({ texts }) => texts,
          () => undefined,
        );
}

/** A text of the table in the page's language; undefined in English, and for what is not in the table. */
export function translate(text: string | undefined, params: Params = {}): string | undefined {
  if (text === undefined || translated?.[text] === undefined) return undefined;
  return textsOf(translated)(text, spokenParams(params, language()) as never);
}

/** A sentence of the server about a field, or beside a problem. */
export const say = ({ message, text, params }: Said): string => translate(text, params) ?? message;

/** A problem: by its text, else by its fields, else in the server's English. */
export function sayProblem({ code, text = code, params, detail, title, errors }: Problem): string {
  const sentence = translate(text, params);
  if (sentence !== undefined) return sentence;
  const ofFields = translated && errors?.every((one) => translate(one.text) !== undefined) && errors.map(say);
  return ofFields ? ofFields.join('. ') : (detail ?? title);
}
