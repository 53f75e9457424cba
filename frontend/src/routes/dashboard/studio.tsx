import { IdText } from '@beltway/contracts/common/basics';
import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { NoStudio, Studio } from '../../features/live/studio/studio.tsx';
import { lazily } from '../../lib/loading/lazily.ts';

const ChatSection = lazily(async () => (await import('../../features/chat/chat-section.tsx')).ChatSection);

/** The studio of a live stream (frontend/PRODUCT.md#the-studio). */
export function Component() {
  const id = IdText.safeParse(useParams()['eventId']);
  if (!id.success) return <NoStudio />;
  return (
    <Studio
      key={id.data}
      eventId={id.data}
      chat={
        <Suspense fallback={<div className="h-[34rem]" />}>
          <ChatSection room={String(id.data)} />
        </Suspense>
      }
    />
  );
}
