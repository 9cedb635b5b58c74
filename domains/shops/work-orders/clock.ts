/** The moment a wall-clock text of the wire means. */
export const parseWireTime = (text: string): Date => new Date(`${text.replace(' ', 'T')}+08:00`)
