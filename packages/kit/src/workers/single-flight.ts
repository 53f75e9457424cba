/** Work under way is shared: whoever asks for the same thing meanwhile waits for the same result. */
export function singleFlight<Result>() {
  const flights = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
