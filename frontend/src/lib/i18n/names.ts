import { catalog, useTexts, type Catalog, type Messages } from './catalog.ts';

/** Names by an id, whose English comes with the data. `names.es.ts` has those of one feature in Spanish. */
export const names = (es: () => Promise<{ texts: Messages }>): Catalog<Messages> => catalog<Messages>({}, { es });

/** The name of an id in the page's language; `given` where there is none. */
export function useNames(of: Catalog<Messages>): (id: string, given: string) => string {
  const t = useTexts(of);
  return (id, given) => (t.has(id) ? t(id) : given);
}
