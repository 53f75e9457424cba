/**
 * Steps of holds in one turn of the event loop. A step (reading a hold, or writing its answer) takes 30 to 60 µs: without a bound a batch of 250
 * answers would keep every page that somebody loads waiting for 15 ms, and the clients' next holds, read in the turn after, as long again.
 */
const STEPS_A_TURN = 16;

export interface Turns {
  /** Resolves when it is this step's turn, first come first served. */
  next(): Promise<void>;
  /** Steps that wait. */
  waiting(): number;
}

/** Spreads the work of a crowd over turns of the event loop: between them comes whatever else there is to read and to answer. */
export function openTurns(stepsATurn = STEPS_A_TURN): Turns {
  let steps: Array<() => void> = [];
  let done = 0;
  let isPlanned = false;

  function turn(): void {
    for (const end = Math.min(done + stepsATurn, steps.length); done < end; done++) steps[done]!();
    isPlanned = done < steps.length;
    if (isPlanned) setImmediate(turn);
    else {
      steps = [];
      done = 0;
    }
  }

  return {
    next: () =>
      new Promise((resolve) => {
        steps.push(resolve);
        if (isPlanned) return;
        isPlanned = true;
        setImmediate(turn);
      }),
    waiting: () => steps.length - done,
  };
}
