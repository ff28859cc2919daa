export const uploadStates = ['Uploaded', 'Checking', 'Checked', 'Applying', 'Applied'] as const
export type UploadState = (typeof uploadStates)[number]

export type Wish = 'check' | 'apply'

type Standing = Readonly<{ state: UploadState; hasErrors: boolean; isUndo: boolean }>

/** The state of an upload. A run whose node has stopped has changed nothing, so the state is that from before it (§11.11). */
export function currentState(state: UploadState, isRunAlive: boolean): UploadState {
  if (isRunAlive) return state
  if (state === 'Checking') return 'Uploaded'
  return state === 'Applying' ? 'Checked' : state
}

export const isRunning = (state: UploadState): boolean => state === 'Checking' || state === 'Applying'

const ofFiles = {
  applying: 'The files are being applied.',
  applied: 'The files have been applied. Send them again to check them.',
  unchecked: 'The files have not been checked. Check them first.',
  checking: 'The files are being checked. Wait for the result.',
  errors: 'The files have errors. Correct them and send them again.',
}

const ofUndo: typeof ofFiles = {
  applying: 'The undo is being applied.',
  applied: 'The undo has been applied. To check again, start a new undo.',
  unchecked: 'The undo has not been checked. Check it first.',
  checking: 'The undo is being checked. Wait for the result.',
  errors: 'The run cannot be undone. Errors says why.',
}

/** Why an upload cannot be checked, applied or deleted. */
export const rejectionsOf = (isUndo: boolean): typeof ofFiles => (isUndo ? ofUndo : ofFiles)

/** Whether a run starts, or has already (a repeated request); else why it cannot (§11.11). */
export function decideRun(
  wish: Wish,
  { state, hasErrors, isUndo }: Standing,
): 'start' | 'started' | { rejected: string } {
  const rejections = rejectionsOf(isUndo)
  if (wish === 'check') {
    if (state === 'Checking') return 'started'
    if (state === 'Applying') return { rejected: rejections.applying }
    return state === 'Applied' ? { rejected: rejections.applied } : 'start'
  }
  if (state === 'Applying' || state === 'Applied') return 'started'
  if (state === 'Uploaded') return { rejected: rejections.unchecked }
  if (state === 'Checking') return { rejected: rejections.checking }
  return hasErrors ? { rejected: rejections.errors } : 'start'
}
