import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'identity' | 'gzip' | 'br';

/** A body in one coding, with the headers of a 200 and those of a 304, in the form that `writeHead` accepts. */
export interface Representation {
  body: Buffer;
  headers: string[];
  unchanged: string[];
}

/** Bodies below this size fit into one packet, so compression would gain nothing. */
const COMPRESS_FROM = 1_400;
const COMPRESSIBLE = /^(text\/|application\/(json|[\w.-]+\+(json|xml)|xml)\b)/;
/** Headers that describe the body, so a 304 omits them. */
const OF_CONTENT = /^content-(type|language|disposition|location)$/;
const compressors = {
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 5 }),
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

/** One version of an answer, in each coding requested so far. */
export interface Representations {
  /** Digest of headers and body. Equal digests mean the same version. */
  digest: string;
  /** The possible codings, best first. */
  codings: readonly Coding[];
  /** The strong entity tag of a coding. Each coding has a different one. */
  etagOf(coding: Coding): string;
  /** The representation in this coding, if it was already made. */
  made(coding: Coding): Representation | undefined;
  /** Makes the representation in this coding, once for concurrent callers. `bytes` grows by its size. */
  make(coding: Coding): Promise<Representation>;
  bytes(): number;
}

/** Compresses a version of an answer once for each coding, when the coding is first requested. */
export function representations(headers: ReadonlyArray<readonly [string, string]>, body: Buffer): Representations {
  const digest = createHash('sha256').update(JSON.stringify(headers)).update(body).digest('base64url').slice(0, 27);
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const isCompressed = body.length >= COMPRESS_FROM && COMPRESSIBLE.test(type);
  const codings: Coding[] = isCompressed ? ['br', 'gzip', 'identity'] : ['identity'];
  const etagOf = (coding: Coding) => (coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`);
  const made = new Map<Coding, Representation>();
  const making = new Map<Coding, Promise<Representation>>();

  const ofContent = headers.filter(([name]) => OF_CONTENT.test(name)).flat();
  const ofBoth = headers.filter(([name]) => !OF_CONTENT.test(name)).flat();
  if (isCompressed) ofBoth.push('vary', 'Accept-Encoding');
  const add = (coding: Coding, coded: Buffer): Representation => {
    const unchanged = [...ofBoth, 'etag', etagOf(coding)];
    const encoding = coding === 'identity' ? [] : ['content-encoding', coding];
    const whole = [...ofContent, ...unchanged, ...encoding, 'content-length', String(coded.length)];
    const representation: Representation = { body: coded, headers: whole, unchanged };
    made.set(coding, representation);
    return representation;
  };
  add('identity', body);

  return {
    digest,
    codings,
    etagOf,
    made: (coding) => made.get(coding),
    make(coding) {
      const known = made.get(coding);
      if (known || coding === 'identity') return Promise.resolve(known ?? made.get('identity')!);
      let work = making.get(coding);
      if (!work) {
        work = compressors[coding](body).then((coded) => add(coding, coded));
        making.set(coding, work);
      }
      return work;
    },
    bytes: () => [...made.values()].reduce((sum, one) => sum + one.body.length, 0),
  };
}
