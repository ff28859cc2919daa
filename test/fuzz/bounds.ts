/** The memory of the service, whatever it is sent: the demo data and its caches need about 300 MB. */
export const maxMegabytes = 700
/** The longest turn of the event loop, in processor time, so that waiting for a processor does not count. Below 100 ms on a
 *  quiet machine; on a busy one the same work takes longer, because programs share caches and cores. */
export const maxTurnMilliseconds = 300
