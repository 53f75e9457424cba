/** Somebody whom one may block. */
export interface Person {
  userId: number;
  userName: string;
}

/** What one may report. */
export interface Reportable {
  kind: 'post' | 'post-comment' | 'question' | 'answer';
  id: number;
}

/** Accounts whose name we have not heard of yet. */
export const nameOf = ({ userName }: { userName: string | null }): string => userName || 'Somebody';
