export const uploadStates = ['Uploaded', 'Checking', 'Checked', 'Applying', 'Applied'] as const
export type UploadState = (typeof uploadStates)[number]

export type Wish = 'check' | 'apply'

type Standing = Readonly<{ state: UploadState; hasErrors: boolean }>

/** The state of an upload. A run whose node has stopped has changed nothing, so the state is that from before it (§11.11). */
export function currentState(state: UploadState, isRunAlive: boolean): UploadState {
  if (isRunAlive) return state
  if (state === 'Checking') return 'Uploaded'
  return state === 'Applying' ? 'Checked' : state
}

export const isRunning = (state: UploadState): boolean => state === 'Checking' || state === 'Applying'

/** Whether a run starts, or has already (a repeated request); else why it cannot (§11.11). */
export function decideRun(wish: Wish, { state, hasErrors }: Standing): 'start' | 'started' | { refused: string } {
  if (wish === 'check') {
    if (state === 'Checking') return 'started'
    if (state === 'Applying') return { refused: 'The files are being applied.' }
    return state === 'Applied' ? { refused: 'The files have been applied. Send them again to check them.' } : 'start'
  }
  if (state === 'Applying' || state === 'Applied') return 'started'
  if (state === 'Uploaded') return { refused: 'The files have not been checked. Check them first.' }
  if (state === 'Checking') return { refused: 'The files are being checked. Wait for the result.' }
  return hasErrors ? { refused: 'The files have errors. Correct them and send them again.' } : 'start'
}
