/** Runs tasks in parallel. */

/**
 * Starts tasks in order, at most `most` at a time. Returns their results in the same order, each as
 * soon as it is available.
 */
export function sideBySide<T>(tasks: (() => Promise<T>)[], most: number): Promise<T>[] {
  const results = tasks.map(() => Promise.withResolvers<T>());
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < tasks.length) {
      const i = next++;
      await tasks[i]().then(results[i].resolve, results[i].reject);
    }
  };
  for (let i = 0; i < Math.min(most, tasks.length); i++) void work();
  return results.map(({ promise }) => promise);
}
