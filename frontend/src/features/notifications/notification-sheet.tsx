import type { Notification, NotificationKind } from '@beltway/contracts/realtime/notifications';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import Award from 'lucide-react/icons/award';
import BadgeDollarSign from 'lucide-react/icons/badge-dollar-sign';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import CalendarX2 from 'lucide-react/icons/calendar-x-2';
import Handshake from 'lucide-react/icons/handshake';
import MessageCircle from 'lucide-react/icons/message-circle';
import MessageCircleReply from 'lucide-react/icons/message-circle-reply';
import Scale from 'lucide-react/icons/scale';
import SearchCheck from 'lucide-react/icons/search-check';
import Ticket from 'lucide-react/icons/ticket';
import Undo2 from 'lucide-react/icons/undo-2';
import { Link, useLocation } from 'react-router-dom';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { markAllRead, markRead, notificationsQuery, refreshPage, SETTINGS_PATH, unreadQuery } from './api.ts';
import { texts } from './texts.en.ts';

const ICONS: Record<NotificationKind, LucideIcon> = {
  'ticket-bought': Ticket,
  'ticket-sold': BadgeDollarSign,
  'event-changed': CalendarClock,
  'event-canceled': CalendarX2,
  'organizer-published': CalendarPlus,
  'search-matched': SearchCheck,
  'comment-answered': MessageCircle,
  reply: MessageCircleReply,
  'refund-sent': Undo2,
  moderated: Scale,
  badge: Award,
  connection: Handshake,
};

/** The list that the bell opens: notifications, latest first, each linked to its subject. */
export function NotificationSheet({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Sheet onClose={onClose} title={t('title')}>
      <List />
    </Sheet>
  );
}

function List() {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const found = useInfiniteQuery(notificationsQuery());
  const unread = useQuery(unreadQuery()).data?.unread ?? 0;
  const items = found.data?.pages.flatMap((page) => page.items);
  const latest = items?.[0];
  const readAll = useAction({
    mutationFn: (until: string) => markAllRead(queries, until),
    failed: t('notMarked'),
  });
  const follow = (notification: Notification) => {
    markRead(queries, notification);
    // A link to the current page does not navigate, so the page must be refetched.
    if (/^[^?#]*/.exec(notification.path)![0] === pathname) void refreshPage(queries);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {latest && unread > 0 && (
          <Button variant="secondary" pending={readAll.isPending} onClick={() => readAll.mutate(latest.at)}>
            {t('markAll')}
          </Button>
        )}
        <TextLink to={SETTINGS_PATH} replace>
          {t('settings')}
        </TextLink>
      </div>
      <PagedList
        found={found}
        items={items}
        what={t('what')}
        skeleton={{ className: 'h-20', of: 'rows' }}
        empty={<EmptyState title={t('none')}>{t('noneWhy')}</EmptyState>}
      >
        {(shown) => (
          <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)]">
            {shown.map((notification) => (
              <li key={notification.id} className="border-b border-line last:border-b-0">
                <Row notification={notification} onFollow={() => follow(notification)} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function Row({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const t = useTexts(texts);
  const { kind, title, text, path, at, isRead } = notification;
  const Icon = ICONS[kind];
  return (
    <Link
      to={path}
      // Replaces the list's history entry, so that Back leads to the page below the list.
      replace
      onClick={onFollow}
      className="flex items-start gap-3 rounded-sm px-2 py-3 transition-colors duration-(--duration-fast) hover:bg-ink/8"
    >
      <Icon aria-hidden className={cx('mt-0.5 size-5 shrink-0', isRead ? 'text-ink-soft' : 'text-accent-ink')} />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className={cx('wrap-anywhere', !isRead && 'font-strong')}>
          {!isRead && <span className="sr-only">{t('unread')}</span>}
          <bdi>{title}</bdi>
        </span>
        <Meta as="span" className="wrap-anywhere">
          <bdi>{text}</bdi>
        </Meta>
        <Meta as="time" dateTime={at}>
          <Age of={at} />
        </Meta>
      </span>
      {!isRead && <span aria-hidden className="mt-2 size-2.5 shrink-0 rounded-full bg-accent" />}
    </Link>
  );
}
