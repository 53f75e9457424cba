import { useTexts } from '../../lib/i18n/catalog.ts';
import { texts } from './section.texts.en.ts';

/** "Live chat". If a page has several chats, `of` names the subject for screen readers. */
export function ChatName({ of }: { of: string | undefined }) {
  const t = useTexts(texts);
  if (of === undefined) return t('liveChat');
  return t.rich('liveChatOf', { name: of, hidden: (words) => <span className="sr-only">{words}</span> });
}
