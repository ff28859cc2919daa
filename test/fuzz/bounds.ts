/** The memory of the service, whatever it is sent: the demo data and its caches need about 300 MB. */
export const maxMegabytes = 700
/** The longest turn of the event loop, in processor time, so that the load of the machine does not count. */
export const maxTurnMilliseconds = 100
