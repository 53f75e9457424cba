import type { Event } from '@beltway/contracts/catalog/events';
import Share2 from 'lucide-react/icons/share-2';
import { useMine } from '../../../lib/events/engagement.ts';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { ShareMenu } from '../share-menu.tsx';
import { texts } from '../texts.en.ts';
import { onPicture, SaveButton } from './controls.tsx';

/** Save and share, as icons in the corner of an event's picture. */
export function PageControls({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { bookmarked } = useMine(event.id);
  return (
    <>
      <SaveButton
        event={event}
        label={t(bookmarked ? 'saved' : 'save')}
        className={cx('inline-flex size-11 items-center justify-center rounded-full [&_svg]:size-5', onPicture)}
      />
      <ShareMenu
        event={event}
        trigger={
          <IconButton label={t('share')} className={onPicture}>
            <Share2 aria-hidden />
          </IconButton>
        }
      />
    </>
  );
}
