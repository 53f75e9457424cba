import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';
import { sessionStore } from '../storage/session-store.ts';

/**
 * Saves what a path answers as a file. By fetch and not by a link, so that neither a key nor a token stands in an address, which is
 * logged, copied and kept. Renews no session: ask something by `get` before.
 */
export async function saveFile(path: string, name: string, headers: Record<string, string> = {}): Promise<void> {
  const { token } = sessionStore.get();
  const response = await fetch(path, {
    credentials: 'include',
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(textsNow(texts)('fileNotMade'));
  const url = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
