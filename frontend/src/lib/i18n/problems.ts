import type { Problem, Said } from '@beltway/contracts/common/basics';
import type { Language } from '@beltway/contracts/common/languages';
import { spokenParams } from '@beltway/contracts/problems/spoken';
import type { Params } from '@beltway/contracts/problems/texts';
import { retry } from '../loading/retry.ts';
import { textsOf, type Messages } from './catalog.ts';
import { language } from './language.ts';

// The server returns a sentence's key, its values, and the English text (docs/decisions/0112).

let translated: Messages | undefined;

/** Loads the server's sentences in another language. If loading fails, they stay English. */
export async function loadProblemTexts(wanted: Language): Promise<void> {
  translated =
    wanted === 'en'
      ? undefined
      : await retry(() => import('./problem-texts.es.ts')).then(
          ({ texts }) => texts,
          () => undefined,
        );
}

/** A text in the page's language; undefined for English and for unknown keys. */
export function translate(text: string | undefined, params: Params = {}): string | undefined {
  if (text === undefined || translated?.[text] === undefined) return undefined;
  return textsOf(translated)(text, spokenParams(params, language()) as never);
}

/** A server message about a field or a problem, translated. */
export const say = ({ message, text, params }: Said): string => translate(text, params) ?? message;

/**
 * Explains a problem: with its translated text, or else its translated field errors, or else the server's English text.
 */
export function sayProblem({ code, text = code, params, detail, title, errors }: Problem): string {
  const sentence = translate(text, params);
  if (sentence !== undefined) return sentence;
  const ofFields = translated && errors?.every((one) => translate(one.text) !== undefined) && errors.map(say);
  return ofFields ? ofFields.join('. ') : (detail ?? title);
}
