import { names, useNames } from '../../lib/i18n/names.ts';

const conditions = names(() => import('./conditions.names.es.ts'));

/** Translates a weather condition into the page's language. The weather services send English. */
export function useConditions(): (condition: string) => string {
  const name = useNames(conditions);
  return (condition) => name(condition.toLowerCase().replaceAll(' ', '-'), condition);
}
