import { MAX_UNREAD_SHOWN } from '@beltway/contracts/realtime/notifications';
import { useQuery } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { Suspense } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { useSession } from '../../lib/session/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { unreadQuery } from './api.ts';
import { texts } from './bell.texts.en.ts';
import { useRinging } from './use-ringing.ts';

const NotificationSheet = lazily(async () => (await import('./notification-sheet.tsx')).NotificationSheet);

/**
 * The bell of a signed-in account, with the unread count. It opens the list of notifications, `#notifications` in the
 * URL.
 */
export function Bell() {
  const t = useTexts(texts);
  const { token } = useSession();
  const [open, setOpen] = useDialogEntry('notifications');
  useRinging(token);
  const unread = useQuery(unreadQuery()).data?.unread ?? 0;
  const shown = unread > MAX_UNREAD_SHOWN ? `${MAX_UNREAD_SHOWN}+` : String(unread);
  const label = unread === 0 ? t('title') : t('unread', { count: shown });
  return (
    <>
      <Tooltip text={t('title')}>
        <IconButton label={label} className="relative" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <BellIcon aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="tabular absolute right-0.5 top-0.5 min-w-5 rounded-full bg-accent px-1 text-center text-note leading-5 font-strong text-on-accent"
            >
              {shown}
            </span>
          )}
        </IconButton>
      </Tooltip>
      <Suspense>{open && <NotificationSheet onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
