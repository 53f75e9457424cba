import { Suspense, useId, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useNear } from '../../lib/browser/use-near.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { ChatName } from './chat-name.tsx';
import { texts } from './section.texts.en.ts';

const ChatPanel = lazily(async () => (await import('./chat-panel.tsx')).ChatPanel, ChatNotLoaded);

/** Pixels from the viewport at which the chat begins to load. */
const AHEAD = 200;

interface ChatSectionProps {
  /** `region` or an event number. */
  room: string;
  /** The room's subject, if a page has several chats. */
  of?: string;
  className?: string;
  /** True if the chat is collapsed to one line until the visitor opens it. */
  folded?: boolean;
}

/**
 * The live chat of a room. The chat's code and messages load when the chat comes near the viewport. The chat's height
 * stays the same, so that the page does not shift.
 */
export function ChatSection({ folded = false, ...chat }: ChatSectionProps) {
  const [isOpen, setOpen] = useState(!folded);
  return isOpen ? <OpenChat {...chat} /> : <FoldedChat of={chat.of} onOpen={() => setOpen(true)} />;
}

function FoldedChat({ of, onOpen }: { of: string | undefined; onOpen: () => void }) {
  const t = useTexts(texts);
  const title = useId();
  return (
    <section
      data-folded
      aria-labelledby={title}
      className="flex min-h-14 items-center justify-between gap-3 rounded-lg border border-line bg-surface ps-4 pe-2"
    >
      <h2 id={title} className="text-body">
        <ChatName of={of} />
      </h2>
      <Button variant="quiet" className="px-4" aria-describedby={title} aria-expanded={false} onClick={onOpen}>
        {t('open')}
      </Button>
    </section>
  );
}

function OpenChat({ room, of, className }: Omit<ChatSectionProps, 'folded'>) {
  const place = useRef<HTMLElement>(null);
  const title = useId();
  const isNear = useNear(place, AHEAD);
  return (
    <section
      ref={place}
      aria-labelledby={title}
      className={cx(
        'flex h-[34rem] min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card',
        className,
      )}
    >
      <Suspense fallback={<ChatLoading title={title} of={of} />}>
        {isNear ? <ChatPanel key={room} room={room} title={title} of={of} /> : <ChatLoading title={title} of={of} />}
      </Suspense>
    </section>
  );
}

function ChatNotLoaded({ title, of }: { title: string; of: string | undefined }) {
  return (
    <>
      <h2 id={title} className="border-b border-line px-4 py-3.5 text-title">
        <ChatName of={of} />
      </h2>
      <div className="p-4">
        <NotLoaded what={useTexts(texts)('theChat')} heading="h3" />
      </div>
    </>
  );
}

const ChatLoading = ({ title, of }: { title: string; of: string | undefined }) => (
  <>
    <h2 id={title} className="border-b border-line px-4 py-3.5 text-title">
      <ChatName of={of} />
    </h2>
    <Loading label={useTexts(texts)('loading')} className="grid flex-1 content-end gap-4 p-4">
      {['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5'].map((width) => (
        <Skeleton key={width} className={cx('h-10 rounded-md', width)} />
      ))}
      <Skeleton className="h-11 rounded-md" />
    </Loading>
  </>
);
