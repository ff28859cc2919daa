/** Makes of a task one that never runs twice at a time. Whoever calls gets the end of a run that began no earlier than
 *  the call: of calls during a run, one more run answers all. */
export function singleFlight(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    if (!running) {
      running = task().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running.then(
      () => again(),
      () => again(),
    )
    return next
  }
  const again = (): Promise<void> => {
    next = undefined
    return run()
  }
  return run
}
