/** How long a source may take, and how much it may send. */
export interface Bounds {
  signal: AbortSignal;
  maxBytes: number;
  userAgent: string;
}

/** Late, too large, not JSON, or an error of its own: worth another try in a while. */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * The JSON at an address that our configuration names. SourceUnavailable, but for an answer that says that it has none
 * for this question (4xx): then an Error. A redirect is not followed: it could lead into our own network.
 */
export async function getJson(url: URL, { signal, maxBytes, userAgent }: Bounds): Promise<unknown> {
  const headers = { accept: 'application/geo+json, application/json', 'user-agent': userAgent };
  try {
    const answer = await fetch(url, { redirect: 'manual', signal, headers });
    if (!answer.ok) {
      await answer.body?.cancel();
      if (answer.status === 400 || answer.status === 404) return Promise.reject(new Error(`${url.host} has no answer`));
      throw new Error(`${url.host} answered ${answer.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop closes the connection.
    for await (const part of answer.body ?? []) {
      size += part.length;
      if (size > maxBytes) throw new Error(`${url.host} sent more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch (error) {
    throw new SourceUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
