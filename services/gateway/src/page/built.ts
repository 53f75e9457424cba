import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { HeadTexts, PageBuild } from '@beltway/contracts/common/first-screen';
import type { Language } from '@beltway/contracts/common/languages';
import { unavailable } from '@beltway/kit/problems';

/** A build of the page. */
export interface Built {
  html: string;
  /** The same with its styles inside, which needs no other file to be seen. */
  styled: string;
  /** Whether the page has something at this path; else it shows that there is nothing. */
  hasPath(path: string): boolean;
  /** By the first part of an address: the files that its page needs beside what every page loads. */
  files: Readonly<Record<string, string[]>>;
  texts: Record<Language, HeadTexts>;
  /** Another number for each build. */
  version: number;
}

/** In the page's addresses every parameter but `:uuid` is a number. */
export function pathPattern(paths: readonly string[]): RegExp {
  const param = (_: string, name: string) => (name === 'uuid' ? '[\\w-]{1,36}' : '[1-9]\\d{0,9}');
  return new RegExp(`^(${paths.map((path) => path.replace(/\/$/, '').replace(/:(\w+)/g, param)).join('|')})/?$`);
}

const STYLESHEET = /<link rel="stylesheet"[^>]*\shref="\/(assets\/[\w.-]+\.css)"[^>]*>/;

/** The style sheet in place of the link to it. Without the file the link stays. */
async function withStyles(folder: string, html: string): Promise<string> {
  const [link, name] = STYLESHEET.exec(html) ?? [];
  if (!link || !name) return html;
  const css = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  return css === undefined || /<\/style/i.test(css) ? html : html.replace(link, () => `<style>${css}</style>`);
}

/**
 * The built page, read again after every build. While a build takes its place, the one before is served. Rejects while there is
 * none yet.
 */
export function builtPage(folder: string): () => Promise<Built> {
  const root = resolve(folder);
  const file = join(root, 'index.html');
  let known: Built | undefined;

  async function read(version: number): Promise<Built> {
    const html = await readFile(file, 'utf8');
    const json = async (name: string) => JSON.parse(await readFile(join(root, '.gateway', name), 'utf8')) as unknown;
    const { paths, files } = (await json('page.json')) as PageBuild;
    const texts = (await json('texts.json')) as Built['texts'];
    const pattern = pathPattern(paths);
    return { html, styled: await withStyles(root, html), hasPath: (path) => pattern.test(path), files, texts, version };
  }

  return async () => {
    try {
      const { mtimeMs } = await stat(file);
      if (known?.version !== mtimeMs) known = await read(mtimeMs);
    } catch (error) {
      if (!known) throw Object.assign(unavailable('page-built', 2), { cause: error });
    }
    return known!;
  };
}
