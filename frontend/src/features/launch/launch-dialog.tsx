import { Dialog } from '../../ui/dialog.tsx';

export function LaunchDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog {...props} title="Add New Event">
      This part of Beltway is still being built.
    </Dialog>
  );
}
