import { Dialog } from '../../ui/dialog.tsx';

export function DashboardDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog {...props} title="Business Dashboard">
      This part of Beltway is still being built.
    </Dialog>
  );
}
