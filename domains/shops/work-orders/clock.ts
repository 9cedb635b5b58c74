/** The moment a wall-clock text of the wire means. */
export const fromShanghai = (text: string): Date => new Date(`${text.replace(' ', 'T')}+08:00`)
