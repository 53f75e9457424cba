import { useEffect, useState, useSyncExternalStore } from 'react';
import { openRoom, type Room } from './room.ts';

const nothing = () => () => undefined;

/** Joins a room of chat for as long as this is shown. Null at first. */
export function useRoom(name: string): Room | null {
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
