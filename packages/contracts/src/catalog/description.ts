import { LABELED } from './plain-description.ts';

/** Text, or a link with its visible words. */
export type Inline = string | { href: string; words: string };

/** Lines of text, or the items of a list; `from` is the number of the first item, absent for bullets. */
export type Block = { lines: Inline[][] } | { items: Inline[][]; from?: number };

const LINK = new RegExp(`${LABELED.source}|https?://[^\\s<>"\\\\]{1,2000}`, 'giu');
const ITEM = /^[ \t]{0,3}(?:[-*•]|(\d{1,3})[.)])[ \t]+(?=\S)/u;

/**
 * Removes trailing punctuation that belongs to the sentence instead of the URL. A closing parenthesis belongs to the
 * URL if the URL also contains the opening parenthesis.
 */
function withoutTail(address: string): string {
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    const isOpened = last === ')' && address.slice(0, end).split('(').length >= address.slice(0, end).split(')').length;
    if (isOpened || !'.,;:!?\'"’”)]'.includes(last)) break;
  }
  return address.slice(0, end);
}

/** A URL with a user name does not become a link, because readers mistake the text before the `@` for the host. */
const isLinkable = (href: string): boolean => {
  if (!URL.canParse(href)) return false;
  const { username, password, hostname } = new URL(href);
  return username === '' && password === '' && hostname.includes('.');
};

/** Detects link text that looks like a URL, because the text could name another URL than the link's target. */
const looksLikeAddress = (words: string): boolean =>
  /^\s*(?:https?:|www\.)|^[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/iu.test(words);

function inlines(line: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  const push = (text: string) => {
    if (text !== '') parts.push(text);
  };
  for (const { index, 0: found, 1: label, 2: target } of line.matchAll(LINK)) {
    const href = target ?? withoutTail(found);
    if (!isLinkable(href)) continue;
    push(line.slice(from, index));
    parts.push({ href, words: label === undefined || looksLikeAddress(label) ? href : label });
    from = index + (target === undefined ? href.length : found.length);
  }
  push(line.slice(from));
  return parts;
}

/**
 * An event's description: links as `[words](https://…)` or bare URLs, lists with `-` or `1.`, and line breaks. All
 * other characters are plain text.
 */
export function blocksOf(description: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of description.split('\n')) {
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const item = ITEM.exec(line);
    const last = isOpen ? blocks.at(-1) : undefined;
    isOpen = true;
    if (item) {
      const content = inlines(line.slice(item[0].length));
      const isOrdered = item[1] !== undefined;
      if (last && 'items' in last && (last.from !== undefined) === isOrdered) last.items.push(content);
      else blocks.push({ items: [content], ...(isOrdered && { from: Number(item[1]) }) });
    } else if (last && 'lines' in last) last.lines.push(inlines(line));
    else blocks.push({ lines: [inlines(line)] });
  }
  return blocks;
}
