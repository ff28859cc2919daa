/** A file beyond these is refused: no message comes near them, and what is read is held in memory. */
export const fileBytes = 32 * 1024 * 1024
export const elementsOfFile = 500_000
export const leavesOfMessage = 20_000
export const depth = 50
export const nameLength = 100
/** As long as a narrative may be. */
export const valueLength = 100_000
/** More would not be read by anybody. */
export const faultsOfFile = 1_000
export const pagesWaiting = 10_000
export const leavesWaiting = 500_000

/** What a record keeps beside the event (EventSource). */
export const unmappedCount = 10_000
export const unmappedValueLength = 20_000
export const unmappedPathLength = 2_000

/** Leaves room in an EventId for the longest Uic and asset type. */
export const referenceLength = 45
