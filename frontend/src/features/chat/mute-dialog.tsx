import type { ChatMessage } from '@beltway/contracts/realtime/chat';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { mute } from './api.ts';
import { texts } from './texts.en.ts';

const CHOICES = [
  { minutes: 10, label: 'tenMinutes' },
  { minutes: 60, label: 'anHour' },
  { minutes: 1_440, label: 'aDay' },
  { minutes: null, label: 'forGood' },
] as const;

interface MuteDialogProps {
  room: string;
  message: ChatMessage;
  onClose: () => void;
}

/** Mutes a message's author for a time or permanently. */
export function MuteDialog({ room, message: { seq, userName }, onClose }: MuteDialogProps) {
  const t = useTexts(texts);
  const { pathname: at } = useLocation();
  const muting = useAction({
    mutationFn: (minutes: number | null) => mute(room, { seq, ...(minutes !== null && { minutes }) }),
    done: { title: t('muted'), description: t('mutedWhy', { name: userName }), at },
    onSuccess: onClose,
  });
  return (
    <Dialog
      onClose={onClose}
      title={t.rich('muteWho', { who: () => <bdi>{userName}</bdi> })}
      description={t('muteWhy')}
    >
      <div className="grid gap-2">
        {CHOICES.map(({ minutes, label }) => (
          <Button
            key={label}
            variant="secondary"
            pending={muting.isPending && muting.variables === minutes}
            disabled={muting.isPending}
            onClick={() => muting.mutate(minutes)}
          >
            {t(label)}
          </Button>
        ))}
        <Failure of={muting.error} />
      </div>
    </Dialog>
  );
}
