import { names, useNames } from '../../lib/i18n/names.ts';

const conditions = names(() => import('./conditions.names.es.ts'));

/** What the sky is like, in the page's language: the weather services say it in English. */
export function useConditions(): (condition: string) => string {
  const name = useNames(conditions);
  return (condition) => name(condition.toLowerCase().replaceAll(' ', '-'), condition);
}
