import type { Language } from '@beltway/contracts/common/languages';
import { cloneElement, isValidElement, use, type ReactNode } from 'react';
import type { createTranslator } from 'use-intl/core';
import formatMessage from 'use-intl/format-message/format-only';
import { language, locale, perLanguage } from './language.ts';
import { retry } from '../loading/retry.ts';

type Other = Exclude<Language, 'en'>;
export type Messages = Readonly<Record<string, string>>;
/** The same keys in another language. scripts/texts.test.ts compares the arguments. */
export type Translated<M extends Messages> = { readonly [Key in keyof M]: string };

/** One text with the argument types that the library derives from ICU's `{name}` and `{count, plural, …}`. */
type Translator<Text extends string> = ReturnType<typeof createTranslator<{ text: Text }>>;
type Values<Call> = Call extends (key: never, ...values: infer Given) => unknown ? Given : never;

export interface Texts<M extends Messages> {
  <Key extends keyof M & string>(key: Key, ...values: Values<Translator<M[Key]>>): string;
  has(key: string): boolean;
  /** A text with elements: the function `link` renders `<link>…</link>`. */
  rich<Key extends keyof M & string>(key: Key, ...values: Values<Translator<M[Key]>['rich']>): ReactNode;
}

/** A component's view of a catalog: `TextsOf<typeof texts>`. */
export type TextsOf<C> = C extends Catalog<infer M> ? Texts<M> : never;

/** The texts of one feature. English is bundled with its code; other languages load on first use. */
export interface Catalog<M extends Messages> {
  /** The texts, or a promise while they load. */
  inLanguage(wanted: Language): Texts<M> | Promise<Texts<M>>;
  /**
   * A promise of the texts. It is always the same promise, so that React reads it synchronously once it is fulfilled.
   */
  asked(wanted: Other): Promise<Texts<M>>;
  english: Texts<M>;
}

const plurals = perLanguage(() => new Intl.PluralRules(locale()));
const numbers = perLanguage(() => new Intl.NumberFormat(locale()));
/** Formatters for texts; money and dates arrive already formatted (lib/i18n/format.ts). */
const formatters = { getPluralRules: plurals, getNumberFormat: numbers };

type Given = Record<string, unknown>;

/** Adds a key to each element that a tag function renders, because React renders the elements as a list. */
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

/** Builds the translator for compiled texts (frontend/scripts/compile-texts.ts). */
export function textsOf<M extends Messages>(messages: Translated<M>): Texts<M> {
  // Compiled messages keep the ICU parser out of the bundle.
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

/** The properties by which React recognizes a fulfilled promise. */
type Kept<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

function kept<T>(promise: Promise<T>): Kept<T> {
  const marked: Kept<T> = promise;
  void promise.then((value) => Object.assign(marked, { status: 'fulfilled', value }));
  return marked;
}

type Load<M extends Messages> = () => Promise<{ texts: Translated<M> }>;

/** The loaders of all catalogs whose code is loaded. */
const loaded: Array<(wanted: Language) => unknown> = [];

/** Waits for the texts of all code loaded so far. */
export const textsOfLoaded = (wanted: Language): Promise<unknown> =>
  Promise.all(loaded.map((inLanguage) => inLanguage(wanted)));

/** Defines a feature's texts: the English texts, and loaders for the other languages. */
export function catalog<const M extends Messages>(english: M, others: Record<Other, Load<NoInfer<M>>>): Catalog<M> {
  const known: Partial<Record<Other, Kept<Texts<M>>>> = {};
  const inEnglish = textsOf<M>(english);
  const asked = (wanted: Other): Kept<Texts<M>> =>
    (known[wanted] ??= kept(
      retry(others[wanted], { isFinal: () => navigator.onLine === false })
        // If loading fails, the texts stay English.
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

/** The texts in the page's language; the component suspends until they are loaded. */
export function useTexts<M extends Messages>(texts: Catalog<M>): Texts<M> {
  // The language is fixed per page load, so `use` is called in every render or in none.
  const now = language();
  return now === 'en' ? texts.english : use(texts.asked(now));
}

/** For use outside components. English until the page has loaded the texts (layout/prepare-texts.ts). */
export function textsNow<M extends Messages>(texts: Catalog<M>): Texts<M> {
  const now = texts.inLanguage(language());
  return now instanceof Promise ? texts.english : now;
}
