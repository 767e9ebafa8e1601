/** Follows a promise without waiting for it; `done` resolves in either case. */
export function follow(promise: void | Promise<void>) {
  const state = { isDone: false, error: undefined as unknown, done: Promise.resolve(promise) };
  state.done = state.done.then(
    () => {
      state.isDone = true;
    },
    (error: unknown) => {
      state.error = error;
    },
  );
  return state;
}
