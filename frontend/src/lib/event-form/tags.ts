import { isTag } from '@beltway/contracts/catalog/tags';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from './texts.en.ts';

export const quickTags = ['#free', '#liveDJ', '#food', '#nightlife', '#rooftop', '#art'] as const;

interface TagsTyped {
  tags: readonly string[];
  /** Why nothing was added; null without an error. */
  error: string | null;
}

const sameAs = (tag: string) => (other: string) => other.toLowerCase() === tag.toLowerCase();

/**
 * Adds the typed tags with a leading #, without duplicates. Commas or semicolons separate tags. If one is invalid, none
 * is added.
 */
export function withTags(tags: readonly string[], typed: string): TagsTyped {
  const names = typed
    .split(/[,;]/)
    .map((part) => part.trim().replace(/^#+/, ''))
    .filter(Boolean);
  const wrong = names.find((name) => !isTag(name));
  if (wrong) return { tags, error: wrongTag(wrong) };
  let all = tags;
  for (const tag of names.map((name) => `#${name}`)) if (!all.some(sameAs(tag))) all = [...all, tag];
  return { tags: all, error: null };
}

/** "Two words!" → "A tag is …, such as #TwoWords." */
function wrongTag(name: string): string {
  const t = textsNow(texts);
  const [first, ...others] = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const word = [first, ...others.map((other) => other.charAt(0).toUpperCase() + other.slice(1))].join('');
  return word ? t('wrongTagSuch', { word }) : t('wrongTag');
}
