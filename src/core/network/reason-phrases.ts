/** The reason phrase of each status. Not an import, which would read every export of node:http: its `WebSocket` loads fetch
 *  and all that belongs to it, 3 MB in every thread. */
export const { STATUS_CODES: reasonPhrases } = process.getBuiltinModule('node:http')
