/** "Live chat"; who does not see what it stands beside hears what it is of. */
export const ChatName = ({ of }: { of: string | undefined }) => (
  <>
    Live chat
    {of !== undefined && <span className="sr-only"> of {of}</span>}
  </>
);
