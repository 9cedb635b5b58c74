/** The product's clock on the wall: "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai, which knows no summer time. */
export function formatShanghaiTime(moment: Date): string {
  const text = new Date(moment.getTime() + 8 * 3_600_000).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** The moment a wall-clock text means. */
export const parseShanghaiTime = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}+08:00`)
