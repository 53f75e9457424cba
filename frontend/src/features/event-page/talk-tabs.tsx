import type { Event } from '@beltway/contracts/catalog/events';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { countsOf } from '../../lib/events/engagement.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { Card } from '../../ui/card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { texts } from './texts.en.ts';

/** The tab that the URL's fragment opens. `#ask` opens a dialog on the questions tab. */
function tabOf(hash: string): 'comments' | 'questions' | 'chat' | null {
  if (hash.startsWith('#chat')) return 'chat';
  if (hash === '#comments') return 'comments';
  return hash === '#questions' || hash === '#ask' ? 'questions' : null;
}

interface TalkTabsProps {
  event: Event;
  comments: ReactNode;
  questions: ReactNode;
  /** null if the chat is beside the live stream instead. */
  chat: ReactNode;
}

/** Comments, questions and chat of an event, one at a time. Hidden tabs are not loaded. */
export function TalkTabs({ event, comments, questions, chat }: TalkTabsProps) {
  const t = useTexts(texts);
  const { hash, key } = useLocation();
  const [followed, setFollowed] = useState('');
  const [tab, setTab] = useState<string>(tabOf(hash) ?? 'comments');
  // Following a link to a tab shows that tab, even if the same link was followed before. Choosing a tab does not change
  // the URL.
  if (followed !== key) {
    setFollowed(key);
    setTab(tabOf(hash) ?? tab);
  }
  const { comments: count } = countsOf(event);
  return (
    <Card aria-label={t('talk')}>
      <Tabs
        label={t('talk')}
        value={tab === 'chat' && chat === null ? 'comments' : tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'comments',
            label: (
              <>
                {t('comments')}
                {count > 0 && <span className="ms-1.5 tabular font-regular">{formatCount(count)}</span>}
              </>
            ),
            content: comments,
          },
          { value: 'questions', label: t('questions'), content: questions },
          ...(chat === null ? [] : [{ value: 'chat', label: t('chat'), content: chat }]),
        ]}
      />
    </Card>
  );
}
