import type { ChatRoom } from '@beltway/contracts/realtime/chat';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { changeRoom } from './api.ts';
import { texts } from './texts.en.ts';

/** The choices of minimum seconds between two messages by the same person. */
const CHOICES = [
  { seconds: 0, label: 'off' },
  { seconds: 10, label: 'tenSeconds' },
  { seconds: 30, label: 'thirtySeconds' },
  { seconds: 60, label: 'oneMinute' },
  { seconds: 300, label: 'fiveMinutes' },
] as const;

interface SlowModeDialogProps {
  room: string;
  seconds: number;
  onClose: () => void;
  onChanged: (facts: ChatRoom) => void;
}

/** Sets the minimum time between two messages by the same person. */
export function SlowModeDialog({ room, seconds, onClose, onChanged }: SlowModeDialogProps) {
  const t = useTexts(texts);
  const change = useMutation({
    mutationFn: (slowModeSeconds: number) => changeRoom(room, { slowModeSeconds }),
    onSuccess: (facts) => {
      onChanged(facts);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('slowMode')} description={t('slowModeWhy')}>
      <div className="grid gap-2">
        {CHOICES.map((choice) => (
          <Button
            key={choice.seconds}
            variant="secondary"
            aria-pressed={choice.seconds === seconds}
            pending={change.isPending && change.variables === choice.seconds}
            disabled={change.isPending}
            className="aria-pressed:border-accent-ink"
            onClick={() => change.mutate(choice.seconds)}
          >
            {choice.seconds === seconds ? t('isNow', { choice: t(choice.label) }) : t(choice.label)}
          </Button>
        ))}
        <Failure of={change.error} />
      </div>
    </Dialog>
  );
}
