import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import Users from 'lucide-react/icons/users';
import WifiOff from 'lucide-react/icons/wifi-off';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { IconButton } from '../../ui/button.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { toastFailure } from '../../lib/actions/use-action.ts';
import { changeRoom, removeMessage, reportMessage } from './api.ts';
import { ChatName } from './chat-name.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { texts } from './texts.en.ts';
import { useAnnounced } from './use-announced.ts';
import { openRoom, type Room } from './room.ts';

const nothing = () => () => undefined;

/** Joins a chat room while the component is mounted. Null on the first render. */
function useRoom(name: string): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  useEffect(() => {
    const opened = openRoom(name);
    setRoom(opened);
    return () => {
      opened.close();
      setRoom(null);
    };
  }, [name]);
  useSyncExternalStore(room?.subscribe ?? nothing, () => room?.get() ?? null);
  return room;
}

const AboutDialog = lazily(async () => (await import('./about-dialog.tsx')).AboutDialog);
const MuteDialog = lazily(async () => (await import('./mute-dialog.tsx')).MuteDialog);
const MutedDialog = lazily(async () => (await import('./muted-dialog.tsx')).MutedDialog);
const ReportDialog = lazily(async () => (await import('../../lib/report/report-dialog.tsx')).ReportDialog);
const ReportedDialog = lazily(async () => (await import('./reported-dialog.tsx')).ReportedDialog);
const SlowModeDialog = lazily(async () => (await import('./slow-mode-dialog.tsx')).SlowModeDialog);

type Opened =
  | { dialog: 'mute' | 'report'; message: ChatMessage }
  | { dialog: 'about' | 'muted' | 'reported' | 'slow-mode' };

interface ChatPanelProps {
  room: string;
  title: string;
  /** The room's subject, if a page has several chats. */
  of?: string | undefined;
}

/** The live chat of a room; `title` is the id of its heading. */
export function ChatPanel({ room: name, title, of }: ChatPanelProps) {
  const room = useRoom(name);
  if (room) return <Panel room={room} name={name} title={title} of={of} />;
  return (
    <h2 id={title} className="border-b border-line px-4 py-3.5 text-title">
      <ChatName of={of} />
    </h2>
  );
}

function Panel({ room, name, title, of }: Omit<ChatPanelProps, 'room'> & { room: Room; name: string }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const { facts, transcript, online, connection, refusal, waitUntil } = room.get();
  const [written, setWritten] = useState(0);
  const [chosen, setChosen] = useState<Opened | null>(null);
  const [isDialogOpen, setDialogOpen] = useDialogEntry(`chat-${name}`);
  const opened = isDialogOpen ? chosen : null;
  const setOpened = (dialog: Opened) => {
    setChosen(dialog);
    setDialogOpen(true);
  };
  const announced = useAnnounced(transcript.messages, room.isOwn);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const close = () => setDialogOpen(false);
  const canModerate = facts?.canModerate ?? false;

  const remove = async (message: ChatMessage) => {
    try {
      await removeMessage(name, message.seq);
      room.apply([{ ...message, isRemoved: true, message: '', reactions: {} }]);
    } catch (error) {
      toastFailure(t('notRemoved'), error);
    }
  };
  const setActive = async (isActive: boolean) => {
    try {
      room.setFacts(await changeRoom(name, { isActive }));
    } catch (error) {
      toastFailure(t('notChanged'), error);
    }
  };
  const entriesOf = (message: ChatMessage): MenuEntry[] => {
    // Without the room's facts it is unknown whether the reader moderates, and no entry may change under the pointer.
    if (facts === null) return [];
    const isOwn = room.isOwn(message);
    const entries: MenuEntry[] = [];
    if (isOwn || canModerate) entries.push({ label: t('removeMessage'), onSelect: () => void remove(message) });
    if (!isOwn && canModerate)
      entries.push({
        label: t('mute', { name: message.userName }),
        onSelect: () => setOpened({ dialog: 'mute', message }),
      });
    if (!isOwn && !canModerate)
      entries.push(
        user
          ? { label: t('report'), onSelect: () => setOpened({ dialog: 'report', message }) }
          : { label: t('signInToReport'), onSelect: () => void navigate(signInPath(pathname + search)) },
      );
    return entries;
  };
  const react = (message: ChatMessage, reaction: Parameters<Room['react']>[1]) =>
    void room.react(message.seq, reaction).catch((error: unknown) => toastFailure(t('reactionRefused'), error));

  const isClosed = facts !== null && !facts.isActive;
  return (
    <>
      <div className="flex min-h-13 items-center gap-3 border-b border-line px-4 py-1">
        <h2 id={title} className="text-title">
          <ChatName of={of} />
        </h2>
        {online !== null && connection === 'joined' && (
          <Meta className="tabular inline-flex items-center gap-1.5">
            <Users aria-hidden className="size-4" />
            {t('hereNow', { count: formatCount(online) })}
          </Meta>
        )}
        {canModerate && facts && (
          <span className="ml-auto">
            <Menu
              trigger={
                <IconButton label={t('moderate')}>
                  <EllipsisVertical aria-hidden />
                </IconButton>
              }
              items={[
                {
                  label: t(facts.slowModeSeconds > 0 ? 'changeSlowMode' : 'slowMode'),
                  onSelect: () => setOpened({ dialog: 'slow-mode' }),
                },
                { label: t('reportedMessages'), onSelect: () => setOpened({ dialog: 'reported' }) },
                { label: t('mutedPeople'), onSelect: () => setOpened({ dialog: 'muted' }) },
                { label: t('nameAndDescription'), onSelect: () => setOpened({ dialog: 'about' }) },
                {
                  label: t(facts.isActive ? 'closeChat' : 'openChat'),
                  onSelect: () => void setActive(!facts.isActive),
                },
              ]}
            />
          </span>
        )}
      </div>
      {facts?.description && (
        <p className="border-b border-line px-4 py-2 text-note wrap-anywhere">
          {t.rich('about', {
            name: () => <strong className="font-strong">{facts.name}</strong>,
            description: facts.description,
          })}
        </p>
      )}
      <p
        role="status"
        className={
          connection === 'reconnecting' || refusal ? 'border-b border-line bg-sunken px-4 py-2 text-note' : 'sr-only'
        }
      >
        {refusal ??
          (connection === 'reconnecting' && (
            <span className="flex items-center gap-2">
              <WifiOff aria-hidden className="size-4 shrink-0" />
              {t('notConnected')}
            </span>
          ))}
      </p>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {transcript.last === null ? (
        <div className="grid flex-1 content-end gap-4 p-4">
          {!refusal &&
            ['w-2/3', 'w-1/2', 'w-3/4'].map((width) => <Skeleton key={width} className={`h-10 rounded-md ${width}`} />)}
        </div>
      ) : (
        <MessageList room={room} written={written} actions={{ react, entriesOf }} label={t('messages')} />
      )}
      {isClosed && !canModerate ? (
        <p className="border-t border-line px-4 py-4 text-center text-ink-soft">{t('closed')}</p>
      ) : (
        <>
          {facts !== null && facts.slowModeSeconds > 0 && (
            <Meta className="border-t border-line px-4 pt-2">
              {facts.slowModeSeconds % 60 === 0
                ? t('slowMinutes', { count: facts.slowModeSeconds / 60 })
                : t('slowSeconds', { count: facts.slowModeSeconds })}
            </Meta>
          )}
          {isClosed && <Meta className="border-t border-line px-4 pt-2">{t('onlyModerators')}</Meta>}
          <Composer
            // Each account has its own drafts.
            key={user?.id}
            room={name}
            user={user}
            waitUntil={waitUntil}
            onSay={(message, guestName) => {
              room.say(message, guestName);
              setWritten((before) => before + 1);
            }}
          />
        </>
      )}
      <Suspense>
        {opened?.dialog === 'mute' && <MuteDialog room={name} message={opened.message} onClose={close} />}
        {opened?.dialog === 'report' && (
          <ReportDialog
            title={t('reportThis')}
            send={(body) => reportMessage(name, opened.message.seq, body)}
            onClose={close}
            onReported={() => {
              close();
              toast({ title: t('thanks'), description: t('thanksWhy'), at: pathname });
            }}
          />
        )}
        {opened?.dialog === 'reported' && <ReportedDialog onClose={close} />}
        {opened?.dialog === 'muted' && <MutedDialog room={name} onClose={close} />}
        {opened?.dialog === 'about' && facts && (
          <AboutDialog facts={facts} onClose={close} onChanged={(changed) => room.setFacts(changed)} />
        )}
        {opened?.dialog === 'slow-mode' && facts && (
          <SlowModeDialog
            room={name}
            seconds={facts.slowModeSeconds}
            onClose={close}
            onChanged={(changed) => room.setFacts(changed)}
          />
        )}
      </Suspense>
    </>
  );
}
