/** Converts a local time (Shanghai) of the wire to a date. */
export const parseWireTime = (text: string): Date => new Date(`${text.replace(' ', 'T')}+08:00`)
