import { useTexts } from '../../lib/i18n/catalog.ts';
import { texts } from './shared.texts.en.ts';

/** Somebody whom one may block. */
export interface Person {
  userId: number;
  userName: string;
}

/** What one may report. */
export interface Reportable {
  kind: 'post' | 'post-comment' | 'question' | 'answer';
  id: number;
}

/** How people are called, also accounts whose name we have not heard of yet. */
export function useNames(): (of: { userName: string | null }) => string {
  const t = useTexts(texts);
  return ({ userName }) => userName || t('somebody');
}
