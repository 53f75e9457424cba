import { catalog, useTexts, type Catalog, type Messages } from './catalog.ts';

/** A catalog of names by id. The data contains the English names; a feature's `names.es.ts` has the Spanish names. */
export const names = (es: () => Promise<{ texts: Messages }>): Catalog<Messages> => catalog<Messages>({}, { es });

/** Returns the name for an id in the page's language, or `given` if there is none. */
export function useNames(of: Catalog<Messages>): (id: string, given: string) => string {
  const t = useTexts(of);
  return (id, given) => (t.has(id) ? t(id) : given);
}
