/** Wraps a task so that it never runs twice at once. All calls during a run share the next one. */
export function singleFlight(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  function run(): Promise<void> {
    if (running) {
      next ??= running.then(runNext, runNext)
      return next
    }
    running = task().finally(() => {
      running = undefined
    })
    return running
  }
  function runNext(): Promise<void> {
    next = undefined
    return run()
  }
  return run
}
