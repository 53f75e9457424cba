import type { ChatMessage } from '@beltway/contracts/chat';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { mute } from './api.ts';

const CHOICES = [
  { minutes: 10, label: 'For 10 minutes' },
  { minutes: 60, label: 'For an hour' },
  { minutes: 1_440, label: 'For a day' },
  { minutes: null, label: 'For good' },
];

interface MuteDialogProps {
  room: string;
  message: ChatMessage;
  onClose: () => void;
}

/** Keeps the writer of a message from writing, for a time or for good. */
export function MuteDialog({ room, message: { seq, userName }, onClose }: MuteDialogProps) {
  const { pathname: at } = useLocation();
  const muting = useMutation({
    mutationFn: (minutes: number | null) => mute(room, { seq, ...(minutes !== null && { minutes }) }),
    onSuccess: () => {
      onClose();
      toast({ title: 'Muted', description: `${userName} cannot write in this chat. Muted people can be unmuted.`, at });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={
        <>
          Mute <bdi>{userName}</bdi>?
        </>
      }
      description="They can read this chat, and not write in it. Their messages stay."
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
            {label}
          </Button>
        ))}
        {muting.isError && (
          <p role="alert" className="text-note text-danger-ink">
            {explain(muting.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
