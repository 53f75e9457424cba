/** What one says of others, in the stream `engagement-<user id>`. Numbers of accounts only. */
export type ConnectionEvent =
  /** One wants to be connected, or does not any more, or turned down who asked. */
  | { type: 'ConnectionSaid'; data: { otherId: number; wants: boolean } }
  /** The other account is no more. */
  | { type: 'ConnectionForgotten'; data: { otherId: number } };

export type ConnectionCommand =
  | { type: 'SayConnection'; otherId: number; wants: boolean }
  | { type: 'ForgetConnection'; otherId: number };
