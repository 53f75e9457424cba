import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { HeadTexts, PageBuild } from '@beltway/contracts/common/first-screen';
import type { Language } from '@beltway/contracts/common/languages';
import { unavailable } from '@beltway/kit/problems';

/** A build of the frontend. */
export interface Built {
  html: string;
  /** The HTML with inlined styles, which needs no other file to be displayed. */
  styled: string;
  /** Whether the frontend has content at this path. At all other paths it shows "not found". */
  hasPath(path: string): boolean;
  /** Additional files that a route needs, keyed by the first segment of the route's path. */
  files: Readonly<Record<string, string[]>>;
  texts: Record<Language, HeadTexts>;
  /** A different number for each build. */
  version: number;
}

/** Returns a pattern that matches the frontend's paths. Every parameter except `:uuid` is a number. */
export function pathPattern(paths: readonly string[]): RegExp {
  const param = (_: string, name: string) => (name === 'uuid' ? '[\\w-]{1,36}' : '[1-9]\\d{0,9}');
  return new RegExp(`^(${paths.map((path) => path.replace(/\/$/, '').replace(/:(\w+)/g, param)).join('|')})/?$`);
}

const STYLESHEET = /<link rel="stylesheet"[^>]*\shref="\/(assets\/[\w.-]+\.css)"[^>]*>/;

/** Replaces the link to the style sheet with the styles themselves. Keeps the link if the file is missing. */
async function withStyles(folder: string, html: string): Promise<string> {
  const [link, name] = STYLESHEET.exec(html) ?? [];
  if (!link || !name) return html;
  const css = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  return css === undefined || /<\/style/i.test(css) ? html : html.replace(link, () => `<style>${css}</style>`);
}

/**
 * Returns a function that reads the built frontend, and reads it again after every build. During a build it returns the
 * previous build; before the first build exists, it rejects.
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
