import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';
import { sessionStore } from '../storage/session-store.ts';

/**
 * Saves a path's response as a file. Uses fetch instead of a link, so that no key or token is in a URL, which is
 * logged, copied and stored. Does not renew the session: call `get` first.
 */
export async function saveFile(path: string, name: string, headers: Record<string, string> = {}): Promise<void> {
  const { token } = sessionStore.get();
  const response = await fetch(path, {
    credentials: 'include',
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(textsNow(texts)('fileNotMade'));
  saveBlob(await response.blob(), name);
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
