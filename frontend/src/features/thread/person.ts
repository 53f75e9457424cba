import { useTexts } from '../../lib/i18n/catalog.ts';
import { texts } from './shared.texts.en.ts';

/** An account that can be blocked. */
export interface Person {
  userId: number;
  userName: string;
}

/** Returns display names, with a placeholder for accounts whose name is not known yet. */
export function useNames(): (of: { userName: string | null }) => string {
  const t = useTexts(texts);
  return ({ userName }) => userName || t('somebody');
}
