/** An account's choices about other accounts, in the stream `engagement-<user id>`. Contains only account ids. */
export type ConnectionEvent =
  /** The account requests a connection, withdraws its request, or declines the other account's request. */
  | { type: 'ConnectionSaid'; data: { otherId: number; wants: boolean } }
  /** The other account was erased. */
  | { type: 'ConnectionForgotten'; data: { otherId: number } };

export type ConnectionCommand =
  | { type: 'SayConnection'; otherId: number; wants: boolean }
  | { type: 'ForgetConnection'; otherId: number };
