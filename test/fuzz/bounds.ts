/** The memory of the service, whatever it is sent: the demo data and its caches need about 300 MB. */
export const maxMegabytes = 700
/** The longest turn of the event loop, in processor time, so that waiting for a processor does not count. A turn takes at most
 *  about 60 ms on two busy cores. */
export const maxTurnMilliseconds = 100
