/** The product's clock on the wall: "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai, which knows no summer time. */
export const shanghaiText = (moment: Date): string =>
  new Date(moment.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** The moment a wall-clock text means. */
export const fromShanghai = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}+08:00`)
