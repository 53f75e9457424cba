import type { Language } from '@beltway/contracts/common/languages';
import { cloneElement, isValidElement, use, type ReactNode } from 'react';
import type { createTranslator } from 'use-intl/core';
import formatMessage from 'use-intl/format-message/format-only';
import { language, locale, perLanguage } from './language.ts';
import { retry } from '../loading/retry.ts';

type Other = Exclude<Language, 'en'>;
export type Messages = Readonly<Record<string, string>>;
/** The same texts in another language: each of them, and no other. Its arguments are compared by scripts/texts.test.ts. */
export type Translated<M extends Messages> = { readonly [Key in keyof M]: string };

/** One text with its arguments, as the library types it: ICU's `{name}` and `{count, plural, …}`. */
type Translator<Text extends string> = ReturnType<typeof createTranslator<{ text: Text }>>;
type Values<Call> = Call extends (key: never, ...values: infer Given) => unknown ? Given : never;

export interface Texts<M extends Messages> {
  <Key extends keyof M & string>(key: Key, ...values: Values<Translator<M[Key]>>): string;
  has(key: string): boolean;
  /** With elements in it: `<link>…</link>` in the text is what the function `link` makes. */
  rich<Key extends keyof M & string>(key: Key, ...values: Values<Translator<M[Key]>['rich']>): ReactNode;
}

/** What a component gets of a catalog: `TextsOf<typeof texts>`. */
export type TextsOf<C> = C extends Catalog<infer M> ? Texts<M> : never;

/** The texts of one feature. English comes with its code; another language is loaded when it is first shown. */
export interface Catalog<M extends Messages> {
  /** The texts, or when they will be there. */
  inLanguage(wanted: Language): Texts<M> | Promise<Texts<M>>;
  /** When they are there; the same promise each time, which React reads without waiting once it is kept. */
  asked(wanted: Other): Promise<Texts<M>>;
  english: Texts<M>;
}

const plurals = perLanguage(() => new Intl.PluralRules(locale()));
const numbers = perLanguage(() => new Intl.NumberFormat(locale()));
/** What a text may ask for; money and dates it is given in words (lib/i18n/format.ts). */
const formatters = { getPluralRules: plurals, getNumberFormat: numbers };

type Given = Record<string, unknown>;

/** What the functions of tags make stands in a list of elements: each gets a key. */
function keyed(values: Given): Given {
  let count = 0;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      const make = value as (chunks: ReactNode) => ReactNode;
      return [
        name,
        (chunks: ReactNode) => {
          const made = make(chunks);
          return isValidElement(made) ? cloneElement(made, { key: `${name} ${(count += 1)}` }) : made;
        },
      ];
    }),
  );
}

/** Compiled texts by their keys (frontend/scripts/compile-texts.ts). */
export function textsOf<M extends Messages>(messages: Translated<M>): Texts<M> {
  // Messages arrive compiled (frontend/scripts/compile-texts.ts): the parser of ICU's syntax stays out of the page.
  const format = (key: string, values: Given = {}) =>
    formatMessage(key, messages[key] as never, values as never, {
      cache: {} as never,
      formatters: formatters as never,
      locale: locale(),
    });
  const say = (key: string, values?: Given) => String(format(key, values));
  return Object.assign(say, {
    has: (key: string) => key in messages,
    rich: (key: string, values: Given = {}) => format(key, keyed(values)),
  }) as unknown as Texts<M>;
}

/** As React marks a promise that was kept. */
type Kept<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

function kept<T>(promise: Promise<T>): Kept<T> {
  const marked: Kept<T> = promise;
  void promise.then((value) => Object.assign(marked, { status: 'fulfilled', value }));
  return marked;
}

type Load<M extends Messages> = () => Promise<{ texts: Translated<M> }>;

/** Of each catalog whose code is loaded. */
const loaded: Array<(wanted: Language) => unknown> = [];

/** Waits for the texts of all code that is loaded by now. */
export const textsOfLoaded = (wanted: Language): Promise<unknown> =>
  Promise.all(loaded.map((inLanguage) => inLanguage(wanted)));

/** Where a feature's texts are: its English, and how the other languages are loaded. */
export function catalog<const M extends Messages>(english: M, others: Record<Other, Load<NoInfer<M>>>): Catalog<M> {
  const known: Partial<Record<Other, Kept<Texts<M>>>> = {};
  const inEnglish = textsOf<M>(english);
  const asked = (wanted: Other): Kept<Texts<M>> =>
    (known[wanted] ??= kept(
      retry(others[wanted], { isFinal: () => navigator.onLine === false })
        // A text in English is better than none.
        .then(
          ({ texts }) => textsOf<M>(texts),
          () => inEnglish,
        ),
    ));
  const inLanguage = (wanted: Language) => {
    if (wanted === 'en') return inEnglish;
    const texts = asked(wanted);
    return texts.value ?? texts;
  };
  loaded.push(inLanguage);
  return { english: inEnglish, inLanguage, asked };
}

/** The texts in the page's language; until they are loaded, the component waits. */
export function useTexts<M extends Messages>(texts: Catalog<M>): Texts<M> {
  // In each rendering or in none: React tells what a component uses by its order.
  const now = language();
  return now === 'en' ? texts.english : use(texts.asked(now));
}

/** The same outside of components, for texts that were loaded with the page (layout/prepare-texts.ts); in English before they are. */
export function textsNow<M extends Messages>(texts: Catalog<M>): Texts<M> {
  const now = texts.inLanguage(language());
  return now instanceof Promise ? texts.english : now;
}
