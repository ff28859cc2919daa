/** What was read only so that the processor has it: keeps the compiler from leaving out the reads. */
export const prefetched = { bytes: 0 }
